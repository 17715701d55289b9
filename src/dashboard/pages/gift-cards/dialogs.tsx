import { useState } from 'react';
import type { StoreGiftCardInput } from '../../../client/generated/schema.ts';
import { api, idOf, isUuid } from '../../app/data/api.ts';
import { go } from '../../app/route.tsx';
import { binder, TextField } from '../../design/form/field.tsx';
import { FormDialog } from '../../design/form/form-dialog.tsx';
import type { Fact } from '../../design/record/facts.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { askBalance, type Balance } from './query.ts';
import { numberOf } from './state.tsx';

const { balance: words, fields, store } = texts.giftCards;

/** The values of a form as a person types them. `buyer` is an id or the merchant's own reference. Empty for none. */
type Values = { readonly number: string; readonly pin: string; readonly buyer: string };

const NO_VALUES: Values = { number: '', pin: '', buyer: '' };

/** Returns true for a number and a PIN of the right length. */
const isWhole = ({ number, pin }: Values): boolean =>
  /^\d{16,19}$/.test(number.replaceAll(' ', '')) && /^[A-Za-z0-9]{1,20}$/.test(pin.trim());

type NumberFieldsProps = {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  /** The path of the gift card below the input, such as `giftCards.0.`. */
  readonly path?: string;
};

/** The fields for the number and the PIN. */
function NumberFields({ values, onChange, path }: NumberFieldsProps) {
  const bind = binder(values, onChange, path);
  return (
    <>
      <TextField
        {...bind('number')}
        label={fields.number}
        hint={fields.numberHint}
        inputMode="numeric"
        maxLength={23}
        autoFocus
        required
      />
      <TextField {...bind('pin')} label={fields.pin} hint={fields.pinHint} maxLength={20} required />
    </>
  );
}

type CloseProps = { readonly onClose: () => void };

/** Asks the provider for the balance of any gift card, stored or not. */
export function BalanceDialog({ onClose }: CloseProps) {
  const [values, setValues] = useState(NO_VALUES);
  const [answer, setAnswer] = useState<Balance | null>(null);
  const { number, pin } = values;
  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      cancel={texts.action.close}
      isReady={isWhole(values)}
      summary={answer ? factsOf(answer) : []}
      run={() => askBalance({ number, pin: pin.trim() })}
      onDone={setAnswer}
      onClose={onClose}
    >
      <NumberFields
        values={values}
        path="giftCards.0."
        onChange={(next) => {
          setValues(next);
          setAnswer(null);
        }}
      />
    </FormDialog>
  );
}

function factsOf(answer: Balance): readonly Fact[] {
  const { balance, currency, expirationDate } = answer;
  if (balance === null || currency === null) return [[numberOf(answer), refusalOf(answer)]];
  return [
    [words.of(numberOf(answer)), <Amount amount={balance} currency={currency} />],
    ...(expirationDate === null ? [] : [[words.expires, <Moment at={expirationDate} />] as const]),
  ];
}

/** Says why the provider gave no balance. */
export const refusalOf = ({ balanceErrorCode: code }: Balance): string =>
  code === null ? words.unknown : words.refusal[code];

/** Stores a gift card for later payments. The provider must know the card. */
export function StoreDialog({ onClose }: CloseProps) {
  const [values, setValues] = useState(NO_VALUES);
  const path = isUuid(values.buyer.trim()) ? 'buyerId' : 'buyerExternalIdentifier';
  return (
    <FormDialog
      title={store.title}
      submit={store.submit}
      isReady={isWhole(values)}
      run={(key) => storeGiftCard(inputOf(values), key)}
      said={store.done}
      onDone={(id) => go(`gift-cards/${id}`)}
      onClose={onClose}
    >
      <p className="quiet">{store.text}</p>
      <NumberFields values={values} onChange={setValues} />
      <TextField
        {...binder(values, setValues)('buyer')}
        path={path}
        label={store.buyer}
        hint={store.buyerHint}
        maxLength={200}
      />
    </FormDialog>
  );
}

async function storeGiftCard(input: StoreGiftCardInput, idempotencyKey: string): Promise<string> {
  const { storeGiftCard: stored } = await api.mutate({
    storeGiftCard: [{ input, idempotencyKey }, { giftCardId: true }],
  });
  return idOf(stored.giftCardId);
}

function inputOf({ number, pin, buyer }: Values): StoreGiftCardInput {
  const named = buyer.trim();
  const owner = isUuid(named) ? { buyerId: named } : { buyerExternalIdentifier: named };
  return { number, pin: pin.trim(), ...(named !== '' && owner) };
}
