import { useState } from 'react';
import type { CreatePaymentLinkInput } from '../../../client/generated/schema.ts';
import { api, idOf } from '../../app/data/api.ts';
import { go } from '../../app/route.tsx';
import { binder, CheckField, Field, optionsOf, SelectField, TextField } from '../../design/form/field.tsx';
import { FormDialog } from '../../design/form/form-dialog.tsx';
import { typeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { amountOf, inputOf, isCurrency, NEW, type Values } from './form.ts';
import { Preview } from './preview.tsx';

const { links } = texts;
const { form } = links;

/** Creates a payment link, with a sketch of its page beside the values. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [values, setValues] = useState(NEW);
  const input = inputOf(values, Date.now());
  return (
    <FormDialog
      title={form.title}
      isWide
      submit={links.create}
      isReady={input !== null}
      run={async (key) => input && createLink(input, key)}
      said={links.created}
      onDone={(id) => go(`links/${id}`)}
      onClose={onClose}
    >
      <div className="with-preview">
        <div>
          <LinkFields values={values} onChange={setValues} />
        </div>
        <Preview values={values} />
      </div>
    </FormDialog>
  );
}

async function createLink(input: CreatePaymentLinkInput, idempotencyKey: string): Promise<string> {
  const { createPaymentLink } = await api.mutate({
    createPaymentLink: [{ input, idempotencyKey }, { paymentLinkId: true }],
  });
  return idOf(createPaymentLink.paymentLinkId);
}

type FieldsProps = { readonly values: Values; readonly onChange: (values: Values) => void };

/** The values of a new link. Rare ones are folded away. */
function LinkFields({ values, onChange }: FieldsProps) {
  const bind = binder(values, onChange);
  return (
    <>
      <Price values={values} onChange={onChange} />
      <TextField {...bind('merchantMessage')} label={form.message} maxLength={255} />
      <TextField
        {...bind('externalIdentifier')}
        label={form.reference}
        hint={form.referenceHint}
        maxLength={200}
      />
      <div className="pair">
        <SelectField
          {...bind('intent')}
          label={form.intent}
          options={optionsOf(form.intents, ['CAPTURE', 'AUTHORIZE'])}
        />
        <SelectField {...bind('openFor')} label={form.open} options={optionsOf(form.spans)} />
      </div>
      <CheckField {...bind('offersReceipt')} label={form.receipt} hint={form.receiptHint} />
      <details className="more">
        <summary>{form.more}</summary>
        <Look values={values} onChange={onChange} />
      </details>
    </>
  );
}

/** The amount with its currency, and the country whose payment services take it. */
function Price({ values, onChange }: FieldsProps) {
  const bind = binder(values, onChange);
  const set = (part: Partial<Values>): void => onChange({ ...values, ...part });
  const isWrong = values.amount !== '' && isCurrency(values.currency) && amountOf(values) === null;
  const example = isWrong ? typeMoney({ amount: 1999, currency: values.currency }) : '';
  return (
    <div className="price">
      <TextField
        {...bind('amount')}
        label={form.amount}
        mistake={isWrong ? form.badAmount(example) : undefined}
        inputMode="decimal"
        autoFocus
        required
      />
      <TextField
        {...bind('currency')}
        label={form.currency}
        hint={form.currencyHint}
        required
        maxLength={3}
        onChange={(currency) => set({ currency: currency.toUpperCase() })}
      />
      <TextField
        {...bind('country')}
        label={form.country}
        hint={form.countryHint}
        required
        maxLength={2}
        onChange={(country) => set({ country: country.toUpperCase() })}
      />
    </div>
  );
}

function Look({ values, onChange }: FieldsProps) {
  const bind = binder(values, onChange);
  return (
    <>
      <div className="pair">
        <TextField {...bind('merchantName')} label={form.name} maxLength={100} />
        <Field label={form.color} path="merchantColor">
          {(control) => (
            <input
              {...control}
              type="color"
              className="input"
              value={values.merchantColor}
              onChange={({ target }) => onChange({ ...values, merchantColor: target.value })}
            />
          )}
        </Field>
      </div>
      <TextField
        {...bind('returnUrl')}
        label={form.returnUrl}
        hint={form.returnHint}
        type="url"
        maxLength={2048}
        placeholder="https://"
      />
    </>
  );
}
