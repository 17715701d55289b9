import { mistakeAt } from '../../app/mistakes.ts';
import { CheckField, Field, SelectField, TextField } from '../../design/field.tsx';
import { typeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { amountOf, isCurrency, type OpenFor, type Values } from './form.ts';

const { form } = texts.links;

export type FieldsProps = {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly error: unknown;
};

/** The values of a new link. Rare ones are folded away. */
export function LinkFields({ values, onChange, error }: FieldsProps) {
  const set = (part: Partial<Values>): void => onChange({ ...values, ...part });
  return (
    <>
      <Price values={values} onChange={onChange} error={error} />
      <TextField
        label={form.message}
        mistake={mistakeAt(error, 'merchantMessage')}
        maxLength={255}
        value={values.message}
        onChange={(message) => set({ message })}
      />
      <TextField
        label={form.reference}
        hint={form.referenceHint}
        mistake={mistakeAt(error, 'externalIdentifier')}
        maxLength={200}
        value={values.reference}
        onChange={(reference) => set({ reference })}
      />
      <div className="pair">
        <SelectField
          label={form.intent}
          value={values.intent}
          options={[
            ['CAPTURE', form.intents.CAPTURE],
            ['AUTHORIZE', form.intents.AUTHORIZE],
          ]}
          onChange={(intent) => set({ intent })}
        />
        <SelectField
          label={form.open}
          value={values.openFor}
          options={(Object.keys(form.spans) as readonly OpenFor[]).map((span) => [span, form.spans[span]])}
          onChange={(openFor) => set({ openFor })}
        />
      </div>
      <CheckField
        label={form.receipt}
        hint={form.receiptHint}
        isChecked={values.offersReceipt}
        onChange={(offersReceipt) => set({ offersReceipt })}
      />
      <details className="more">
        <summary>{form.more}</summary>
        <Look values={values} onChange={onChange} error={error} />
      </details>
    </>
  );
}

/** The amount with its currency, and the country whose payment services take it. */
function Price({ values, onChange, error }: FieldsProps) {
  const set = (part: Partial<Values>): void => onChange({ ...values, ...part });
  const isWrong = values.amount !== '' && isCurrency(values.currency) && amountOf(values) === null;
  const example = isWrong ? typeMoney({ amount: 1999, currency: values.currency }) : '';
  return (
    <div className="price">
      <TextField
        label={form.amount}
        mistake={isWrong ? form.badAmount(example) : mistakeAt(error, 'amount')}
        inputMode="decimal"
        autoFocus
        required
        value={values.amount}
        onChange={(amount) => set({ amount })}
      />
      <TextField
        label={form.currency}
        hint={form.currencyHint}
        mistake={mistakeAt(error, 'currency')}
        required
        maxLength={3}
        value={values.currency}
        onChange={(currency) => set({ currency: currency.toUpperCase() })}
      />
      <TextField
        label={form.country}
        hint={form.countryHint}
        mistake={mistakeAt(error, 'country')}
        required
        maxLength={2}
        value={values.country}
        onChange={(country) => set({ country: country.toUpperCase() })}
      />
    </div>
  );
}

function Look({ values, onChange, error }: FieldsProps) {
  const set = (part: Partial<Values>): void => onChange({ ...values, ...part });
  return (
    <>
      <div className="pair">
        <TextField
          label={form.name}
          mistake={mistakeAt(error, 'merchantName')}
          maxLength={100}
          value={values.name}
          onChange={(name) => set({ name })}
        />
        <Field label={form.color} mistake={mistakeAt(error, 'merchantColor')}>
          {(control) => (
            <input
              {...control}
              type="color"
              className="input"
              value={values.color}
              onChange={({ target }) => set({ color: target.value })}
            />
          )}
        </Field>
      </div>
      <TextField
        label={form.returnUrl}
        hint={form.returnHint}
        mistake={mistakeAt(error, 'returnUrl')}
        type="url"
        maxLength={2048}
        placeholder="https://"
        value={values.returnUrl}
        onChange={(returnUrl) => set({ returnUrl })}
      />
    </>
  );
}
