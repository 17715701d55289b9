import { useState } from 'react';
import type { CreateTransactionInput } from '../../../../client/generated/schema.ts';
import { api, idOf } from '../../../app/data/api.ts';
import { binder, optionsOf, SelectField, TextField } from '../../../design/form/field.tsx';
import { FormDialog } from '../../../design/form/form-dialog.tsx';
import { Segments } from '../../../design/form/segments.tsx';
import { texts } from '../../../texts/texts.ts';
import type { Service } from '../query.ts';
import { cardsOf, chosen, inputOf, outcomesOf, valuesFor, type Values } from './form.ts';
import { TestOutcome } from './outcome.tsx';

const { test: words } = texts.services;

type TestProps = { readonly service: Service; readonly onClose: () => void };

/** Makes a payment at a service of the sandbox, and shows its outcome. */
export function TestDialog({ service, onClose }: TestProps) {
  const [values, setValues] = useState(() => valuesFor(service));
  const [made, setMade] = useState<string | null>(null);
  const input = inputOf(service, values);
  if (made !== null) return <TestOutcome id={made} onAgain={() => setMade(null)} onClose={onClose} />;
  return (
    <FormDialog
      title={words.title(service.displayName)}
      submit={words.submit}
      isReady={input !== null}
      run={async (key) => input && createTestPayment(input, key)}
      onDone={setMade}
      onClose={onClose}
    >
      <TestFields service={service} values={values} onChange={setValues} />
    </FormDialog>
  );
}

/** Creates a payment at one service. Returns its id. */
async function createTestPayment(input: CreateTransactionInput, idempotencyKey: string): Promise<string> {
  const { createTransaction } = await api.mutate({
    createTransaction: [{ input, idempotencyKey }, { transactionId: true }],
  });
  return idOf(createTransaction.transactionId);
}

type TestFieldsProps = {
  readonly service: Service;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

function TestFields({ service, values, onChange }: TestFieldsProps) {
  const bind = binder(values, onChange);
  const codes = (all: readonly string[]) => all.map((code) => [code, code] as const);
  return (
    <>
      <SelectField
        label={words.outcome}
        hint={words.outcomeHint}
        value={values.outcome}
        options={optionsOf(words.outcomes, outcomesOf(service))}
        onChange={(outcome) => onChange(chosen(values, { outcome }))}
      />
      <div className="price">
        <TextField
          {...bind('amount')}
          label={words.amount}
          mistake={inputOf(service, values) === null ? words.badAmount : undefined}
          inputMode="decimal"
          required
        />
        <SelectField
          label={words.currency}
          value={values.currency}
          options={codes(service.acceptedCurrencies)}
          onChange={(currency) => onChange(chosen(values, { currency }))}
        />
        <SelectField {...bind('country')} label={words.country} options={codes(service.acceptedCountries)} />
      </div>
      {service.method === 'card' && (
        <SelectField
          {...bind('card')}
          label={words.card}
          options={optionsOf(words.cards, cardsOf(service))}
        />
      )}
      <Segments
        {...bind('intent')}
        label={words.intent}
        options={optionsOf(words.intents, ['CAPTURE', 'AUTHORIZE'])}
      />
    </>
  );
}
