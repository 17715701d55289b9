import { useState } from 'react';
import type { ExplainRoutingInput } from '../../../client/generated/schema.ts';
import { useAct } from '../../app/act.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Segments } from '../../design/segments.tsx';
import { texts } from '../../texts/texts.ts';
import { lengthOf, nameOf, type CodeKind } from '../services/codes.ts';
import { methodsOf, type Row } from '../services/query.ts';
import { methodName } from '../services/words.ts';
import { PassedOver, passedOverBy, Stops, type Stop } from './drawing.tsx';
import { explainRoute, type Explanation } from './query.ts';

const { routing: words } = texts;

type Values = {
  readonly method: string;
  readonly currency: string;
  readonly country: string;
  readonly intent: 'CAPTURE' | 'AUTHORIZE';
};

type ExplainDialogProps = {
  readonly services: readonly Row[];
  readonly onClose: () => void;
};

/** Draws the route that a payment would take now. Creates no payment. */
export function ExplainDialog({ services, onClose }: ExplainDialogProps) {
  const act = useAct();
  const payable = services.filter(({ method }) => method !== 'gift-card');
  const [values, setValues] = useState(() => valuesFor(payable));
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const change = (next: Partial<Values>): void => {
    setValues({ ...values, ...next });
    setExplanation(null);
  };
  return (
    <FormDialog
      title={words.dialogTitle}
      isWide
      act={act}
      submit={words.submit}
      cancel={texts.action.close}
      isReady={
        values.currency !== '' && isCode('currency', values.currency) && isCode('region', values.country)
      }
      onSubmit={() => act.run(() => explainRoute(inputOf(values)), setExplanation)}
      onClose={onClose}
    >
      <p className="quiet">{words.text}</p>
      <Fields services={payable} values={values} onChange={change} />
      <div role="status">{explanation && <Route explanation={explanation} />}</div>
    </FormDialog>
  );
}

type FieldsProps = {
  readonly services: readonly Row[];
  readonly values: Values;
  readonly onChange: (values: Partial<Values>) => void;
};

function Fields({ services, values, onChange }: FieldsProps) {
  const { details, test } = texts.services;
  return (
    <>
      <div className="price">
        <SelectField
          label={details.method}
          value={values.method}
          options={payableMethods(services)}
          onChange={(method) => onChange({ method })}
        />
        <TextField
          label={test.currency}
          mistake={mistakeOf('currency', values.currency)}
          required
          maxLength={lengthOf('currency')}
          value={values.currency}
          onChange={(currency) => onChange({ currency: currency.toUpperCase() })}
        />
        <TextField
          label={texts.services.form.optional(test.country)}
          mistake={mistakeOf('region', values.country)}
          maxLength={lengthOf('region')}
          value={values.country}
          onChange={(country) => onChange({ country: country.toUpperCase() })}
        />
      </div>
      <Segments
        label={test.intent}
        value={values.intent}
        options={[
          ['CAPTURE', test.intents.CAPTURE],
          ['AUTHORIZE', test.intents.AUTHORIZE],
        ]}
        onChange={(intent) => onChange({ intent })}
      />
    </>
  );
}

const Route = ({ explanation }: { readonly explanation: Explanation }) => (
  <div className="route-found">
    {explanation.candidates.length === 0 ? (
      <p>
        <strong>{words.nobody}</strong>
      </p>
    ) : (
      <Stops stops={explanation.candidates.map(stopOf)} />
    )}
    <PassedOver {...passedOverBy(explanation)} />
  </div>
);

/** Says when a candidate is asked. A candidate without a choice comes after the end of the retries. */
function stopOf({ paymentService: service, choices: [choice] }: Explanation['candidates'][number]): Stop {
  const { candidate } = words;
  const shared = { key: service.id, service };
  if (choice === undefined)
    return {
      ...shared,
      tone: 'calm',
      state: candidate.never,
      sentences: [words.never],
    };
  if (choice === 'FIRST' || choice === 'REQUESTED')
    return {
      ...shared,
      tone: 'good',
      state: candidate.first,
      sentences: [words.why[choice]],
    };
  return {
    ...shared,
    tone: 'info',
    state: candidate.next,
    sentences: [words.next],
  };
}

/** Returns the values of a new form, those of the first service. */
const valuesFor = ([first]: readonly Row[]): Values => ({
  method: first?.method ?? 'card',
  currency: first?.acceptedCurrencies[0] ?? 'EUR',
  country: first?.acceptedCountries[0] ?? '',
  intent: 'CAPTURE',
});

/** Lists the methods that the services take. Services of cards take wallets and network tokens, too. */
function payableMethods(services: readonly Row[]): readonly (readonly [string, string])[] {
  const { ability } = texts.services;
  return methodsOf(services).flatMap((each) =>
    each === 'card'
      ? [
          [each, methodName(each)] as const,
          ['applepay', ability.apple_pay] as const,
          ['googlepay', ability.google_pay] as const,
          ['network_token', ability.network_tokens] as const,
        ]
      : [[each, methodName(each)] as const],
  );
}

/** Tells whether a value is empty or a code that names something. */
const isCode = (kind: CodeKind, code: string): boolean => code === '' || nameOf(kind, code) !== undefined;

/** Says that a whole code names nothing. A shorter one may be half typed. */
const mistakeOf = (kind: CodeKind, code: string): string | null =>
  isCode(kind, code) || code.length < lengthOf(kind) ? null : texts.services.form.unknownCodes(code);

const inputOf = ({ country, ...rest }: Values): ExplainRoutingInput => ({
  ...rest,
  country: country === '' ? null : country,
});
