import { binder, Kept, optionsOf, SelectField, TextField } from '../../design/form/field.tsx';
import { texts } from '../../texts/texts.ts';
import { ALLOWED, enrolled, isBadAmount, type Conditions, type Values } from './form.ts';

const { threeDS: words } = texts;

type ConditionsProps = {
  readonly conditions: Conditions;
  readonly onChange: (conditions: Conditions) => void;
  /** The path of the conditions in the input, with a dot at its end. */
  readonly path: string;
  /** The sentence about a card number that would be lost. */
  readonly lost?: string | null;
};

/** The properties of a payment. */
export function ConditionFields({ conditions, onChange, path, lost = null }: ConditionsProps) {
  const { form, condition } = words;
  const { cardNumber } = conditions;
  const bind = binder(conditions, onChange, path);
  const field = (name: Exclude<keyof Conditions, 'cardNumber'>, maxLength: number) => (
    <TextField {...bind(name)} label={condition[name]} maxLength={maxLength} />
  );
  return (
    <>
      {field('emailAddress', 320)}
      {cardNumber === null ? (
        <div className="field">
          <Kept
            label={condition.cardNumber}
            note={form.kept}
            replace={form.replaceCard}
            onReplace={() => onChange({ ...conditions, cardNumber: '' })}
          />
          <span className="mistake" role="alert">
            {lost}
          </span>
        </div>
      ) : (
        <TextField
          {...bind('cardNumber')}
          value={cardNumber}
          label={condition.cardNumber}
          hint={form.cardHint}
          inputMode="numeric"
          maxLength={23}
        />
      )}
      <div className="pair">
        <TextField
          {...bind('amount')}
          label={condition.amount}
          hint={form.amountHint}
          mistake={isBadAmount(conditions) ? form.badAmount : undefined}
          inputMode="numeric"
        />
        {field('externalIdentifier', 200)}
      </div>
      <div className="pair">
        {field('firstName', 255)}
        {field('lastName', 255)}
      </div>
    </>
  );
}

type OutcomeProps = { readonly values: Values; readonly onChange: (values: Values) => void };

/** The course of the authentication. */
export function OutcomeFields({ values, onChange }: OutcomeProps) {
  const { form } = words;
  const bind = binder(values, onChange, 'outcome.');
  return (
    <>
      <SelectField
        {...bind('authentication')}
        label={form.authentication}
        options={optionsOf(words.answer, ALLOWED[values.enrollment])}
      />
      {values.authentication === 'C' && (
        <SelectField
          {...bind('challengeResult')}
          label={form.challenge}
          options={optionsOf(words.challengeResult, ['Y', 'N', 'TIMEOUT'])}
        />
      )}
      <details className="more">
        <summary>{form.more}</summary>
        <div className="pair">
          <SelectField
            {...bind('enrollment')}
            label={form.enrollment}
            options={optionsOf(words.enrollment, ['ENROLLED', 'NOT_ENROLLED', 'UNAVAILABLE'])}
            onChange={(enrollment) => onChange(enrolled(values, enrollment))}
          />
          <TextField {...bind('version')} label={form.version} maxLength={12} />
        </div>
      </details>
    </>
  );
}
