import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { mistakeAt } from '../../app/mistakes.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Segments } from '../../design/segments.tsx';
import { texts } from '../../texts/texts.ts';
import type { ServiceDialogProps } from './dialog-props.ts';
import { cardsOf, chosen, inputOf, outcomesOf, valuesFor, type Values } from './test-form.ts';
import { TestOutcome } from './test-outcome.tsx';
import { createTestPayment } from './test-query.ts';

const { test: words } = texts.services;

/** Makes a payment at a service of the sandbox, and shows its outcome. */
export function TestDialog({ service, onClose }: Pick<ServiceDialogProps, 'service' | 'onClose'>) {
  const act = useAct();
  const [values, setValues] = useState(() => valuesFor(service));
  const [made, setMade] = useState<string | null>(null);
  const input = inputOf(service, values);
  if (made !== null) return <TestOutcome id={made} onAgain={() => setMade(null)} onClose={onClose} />;
  return (
    <FormDialog
      title={words.title(service.displayName)}
      act={act}
      submit={words.submit}
      isReady={input !== null}
      onSubmit={() => input && act.run((key) => createTestPayment(input, key), setMade)}
      onClose={onClose}
    >
      <TestFields service={service} values={values} onChange={setValues} error={act.error} />
    </FormDialog>
  );
}

type TestFieldsProps = {
  readonly service: ServiceDialogProps['service'];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly error: unknown;
};

function TestFields({ service, values, onChange, error }: TestFieldsProps) {
  const isCard = service.method === 'card';
  const isWrong = inputOf(service, values) === null;
  return (
    <>
      <SelectField
        label={words.outcome}
        hint={words.outcomeHint}
        value={values.outcome}
        options={outcomesOf(service).map((each) => [each, words.outcomes[each]])}
        onChange={(outcome) => onChange(chosen(values, { outcome }))}
      />
      <div className="price">
        <TextField
          label={words.amount}
          mistake={isWrong ? words.badAmount : mistakeAt(error, 'amount')}
          inputMode="decimal"
          required
          value={values.amount}
          onChange={(amount) => onChange({ ...values, amount })}
        />
        <SelectField
          label={words.currency}
          value={values.currency}
          options={service.acceptedCurrencies.map((code) => [code, code])}
          onChange={(currency) => onChange(chosen(values, { currency }))}
        />
        <SelectField
          label={words.country}
          value={values.country}
          options={service.acceptedCountries.map((code) => [code, code])}
          onChange={(country) => onChange({ ...values, country })}
        />
      </div>
      {isCard && (
        <SelectField
          label={words.card}
          value={values.card}
          options={cardsOf(service).map((each) => [each, words.cards[each]])}
          onChange={(card) => onChange({ ...values, card })}
        />
      )}
      <Segments
        label={words.intent}
        value={values.intent}
        options={[
          ['CAPTURE', words.intents.CAPTURE],
          ['AUTHORIZE', words.intents.AUTHORIZE],
        ]}
        onChange={(intent) => onChange({ ...values, intent })}
      />
    </>
  );
}
