import { useState } from 'react';
import { Field } from '../../design/form/field.tsx';
import { readMoney, typeMoney, writeMoney, type Money } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';

/** The amount of a dialog, as a person types it. */
export type TypedAmount = {
  readonly typed: string;
  readonly type: (text: string) => void;
  /** False for no amount, and for more than is left. */
  readonly isRight: boolean;
  /** The typed amount. Zero while it is wrong. */
  readonly money: Money;
  /** The amount that is left after the typed one. */
  readonly rest: Money;
  /** The sentence about a wrong amount. Null for a right one. */
  readonly mistake: string | null;
};

/** Keeps the amount of a dialog. At first it is all that is left, and it may be any part of that. */
export function useAmount(left: Money): TypedAmount {
  const { currency } = left;
  const [typed, type] = useState(() => typeMoney(left));
  const amount = readMoney(typed, currency);
  const isRight = amount !== null && amount <= left.amount;
  const money = { amount: isRight ? amount : 0, currency };
  const rest = { amount: left.amount - money.amount, currency };
  const mistake = isRight ? null : texts.payment.act.badAmount(writeMoney(left));
  return { typed, type, isRight, money, rest, mistake };
}

/** An amount in the unit of its currency. */
export function AmountField({ typed, type, money, mistake }: TypedAmount) {
  return (
    <Field label={texts.payment.act.amount} mistake={mistake}>
      {(control) => (
        <div className="input-with-unit">
          <input
            {...control}
            className="input"
            inputMode="decimal"
            autoComplete="off"
            autoFocus
            value={typed}
            onChange={({ target }) => type(target.value)}
            onFocus={({ target }) => target.select()}
          />
          <span>{money.currency}</span>
        </div>
      )}
    </Field>
  );
}
