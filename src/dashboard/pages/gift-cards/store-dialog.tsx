import { useState } from 'react';
import type { StoreGiftCardInput } from '../../../client/generated/schema.ts';
import { useAct } from '../../app/act.ts';
import { mistakeAt } from '../../app/mistakes.ts';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { texts } from '../../texts/texts.ts';
import { isWhole, NO_NUMBERS, NumberFields, type Numbers } from './number-fields.tsx';
import { storeGiftCard } from './query.ts';

const { store } = texts.giftCards;

type Values = Numbers & {
  /** The id or the merchant's own reference of the buyer. Empty for none. */
  readonly buyer: string;
};

type StoreDialogProps = { readonly onClose: () => void; readonly onStored: (id: string) => void };

/** Stores a gift card for later payments. The provider must know the card. */
export function StoreDialog({ onClose, onStored }: StoreDialogProps) {
  const act = useAct();
  const [values, setValues] = useState<Values>({ ...NO_NUMBERS, buyer: '' });
  const change = (part: Partial<Values>): void => setValues({ ...values, ...part });
  return (
    <FormDialog
      title={store.title}
      act={act}
      submit={store.submit}
      isReady={isWhole(values)}
      onSubmit={() => act.run((key) => storeGiftCard(inputOf(values), key), onStored)}
      onClose={onClose}
    >
      <p className="quiet">{store.text}</p>
      <NumberFields values={values} error={act.error} onChange={change} />
      <TextField
        label={store.buyer}
        hint={store.buyerHint}
        mistake={mistakeAt(act.error, 'buyerId') ?? mistakeAt(act.error, 'buyerExternalIdentifier')}
        maxLength={200}
        value={values.buyer}
        onChange={(buyer) => change({ buyer })}
      />
    </FormDialog>
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function inputOf({ number, pin, buyer }: Values): StoreGiftCardInput {
  const named = buyer.trim();
  const owner = UUID.test(named) ? { buyerId: named } : { buyerExternalIdentifier: named };
  return { number, pin: pin.trim(), ...(named !== '' && owner) };
}
