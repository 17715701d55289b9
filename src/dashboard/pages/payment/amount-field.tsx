import { useId } from 'react';
import { texts } from '../../texts/texts.ts';

type AmountFieldProps = {
  readonly value: string;
  readonly currency: string;
  /** The sentence about a wrong amount. Null for a right one. */
  readonly mistake: string | null;
  readonly onChange: (value: string) => void;
};

/** An amount in the unit of its currency. */
export function AmountField({ value, currency, mistake, onChange }: AmountFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{texts.payment.act.amount}</label>
      <div className="input-with-unit">
        <input
          id={id}
          className="input"
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          value={value}
          aria-invalid={mistake !== null}
          aria-describedby={`${id}-mistake`}
          onChange={({ target }) => onChange(target.value)}
          onFocus={({ target }) => target.select()}
        />
        <span>{currency}</span>
      </div>
      <span id={`${id}-mistake`} className="mistake" role="alert">
        {mistake}
      </span>
    </div>
  );
}
