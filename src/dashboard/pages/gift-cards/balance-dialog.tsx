import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { Fact } from '../../design/facts.tsx';
import { Amount, Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { isWhole, NO_NUMBERS, NumberFields } from './number-fields.tsx';
import { askBalance, type Balance } from './query.ts';
import { numberOf } from './state.tsx';

const { balance: words } = texts.giftCards;

/** Asks the provider for the balance of any gift card, stored or not. */
export function BalanceDialog({ onClose }: { readonly onClose: () => void }) {
  const act = useAct();
  const [values, setValues] = useState(NO_NUMBERS);
  const [answer, setAnswer] = useState<Balance | null>(null);
  const { number, pin } = values;
  return (
    <FormDialog
      title={words.title}
      act={act}
      submit={words.submit}
      cancel={texts.action.close}
      isReady={isWhole(values)}
      summary={answer ? factsOf(answer) : []}
      onSubmit={() => act.run(() => askBalance({ number, pin: pin.trim() }), setAnswer)}
      onClose={onClose}
    >
      <NumberFields
        values={values}
        error={act.error}
        path="giftCards.0."
        onChange={(part) => {
          setValues({ ...values, ...part });
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
