import { mistakeAt } from '../../app/mistakes.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { ALLOWED, enrolled, isBadAmount, type Conditions, type Values } from './form.ts';

const { threeDS: words } = texts;

type ConditionsProps = {
  readonly conditions: Conditions;
  readonly onChange: (conditions: Conditions) => void;
  readonly error: unknown;
  /** The path of the conditions in the input, with a dot at its end. */
  readonly path: string;
  /** The sentence about a card number that would be lost. */
  readonly lost?: string | null;
};

/** The properties of a payment. */
export function ConditionFields({ conditions, onChange, error, path, lost = null }: ConditionsProps) {
  const { form, condition } = words;
  const set = (part: Partial<Conditions>): void => onChange({ ...conditions, ...part });
  const field = (name: Exclude<keyof Conditions, 'cardNumber' | 'amount'>, maxLength: number) => (
    <TextField
      label={condition[name]}
      mistake={mistakeAt(error, `${path}${name}`)}
      maxLength={maxLength}
      value={conditions[name]}
      onChange={(text) => set({ [name]: text })}
    />
  );
  return (
    <>
      {field('emailAddress', 320)}
      {conditions.cardNumber === null ? (
        <div className="field">
          <div className="kept">
            <span>
              {condition.cardNumber} <span className="quiet">{form.kept}</span>
            </span>
            <Button onPress={() => set({ cardNumber: '' })}>{form.replaceCard}</Button>
          </div>
          <span className="mistake" role="alert">
            {lost}
          </span>
        </div>
      ) : (
        <TextField
          label={condition.cardNumber}
          hint={form.cardHint}
          mistake={mistakeAt(error, `${path}cardNumber`)}
          inputMode="numeric"
          maxLength={23}
          value={conditions.cardNumber}
          onChange={(cardNumber) => set({ cardNumber })}
        />
      )}
      <div className="pair">
        <TextField
          label={condition.amount}
          hint={form.amountHint}
          mistake={isBadAmount(conditions) ? form.badAmount : mistakeAt(error, `${path}amount`)}
          inputMode="numeric"
          value={conditions.amount}
          onChange={(amount) => set({ amount })}
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

type OutcomeProps = {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly error: unknown;
};

/** The course of the authentication. */
export function OutcomeFields({ values, onChange, error }: OutcomeProps) {
  const { form } = words;
  return (
    <>
      <SelectField
        label={form.authentication}
        mistake={mistakeAt(error, 'outcome.authentication')}
        value={values.authentication}
        options={ALLOWED[values.enrollment].map((each) => [each, words.answer[each]])}
        onChange={(authentication) => onChange({ ...values, authentication })}
      />
      {values.authentication === 'C' && (
        <SelectField
          label={form.challenge}
          mistake={mistakeAt(error, 'outcome.challengeResult')}
          value={values.challengeResult}
          options={(['Y', 'N', 'TIMEOUT'] as const).map((each) => [each, words.challengeResult[each]])}
          onChange={(challengeResult) => onChange({ ...values, challengeResult })}
        />
      )}
      <details className="more">
        <summary>{form.more}</summary>
        <div className="pair">
          <SelectField
            label={form.enrollment}
            mistake={mistakeAt(error, 'outcome.enrollment')}
            value={values.enrollment}
            options={(['ENROLLED', 'NOT_ENROLLED', 'UNAVAILABLE'] as const).map((each) => [
              each,
              words.enrollment[each],
            ])}
            onChange={(enrollment) => onChange(enrolled(values, enrollment))}
          />
          <TextField
            label={form.version}
            mistake={mistakeAt(error, 'outcome.version')}
            maxLength={12}
            value={values.version}
            onChange={(version) => onChange({ ...values, version })}
          />
        </div>
      </details>
    </>
  );
}
