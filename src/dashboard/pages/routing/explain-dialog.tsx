import { useState } from 'react';
import type { ExplainRoutingInput } from '../../../client/generated/schema.ts';
import { useMay } from '../../app/session-context.tsx';
import { binder, optionsOf, SelectField, TextField } from '../../design/form/field.tsx';
import { FormDialog } from '../../design/form/form-dialog.tsx';
import { Segments } from '../../design/form/segments.tsx';
import { readMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { lengthOf, nameOf, type CodeKind } from '../services/codes.ts';
import { methodsOf, type Row } from '../services/query.ts';
import { methodName } from '../services/words.ts';
import { DecidedBy } from '../rules/decided-by.tsx';
import { PassedOver, passedOverBy, Stops, type Stop } from './drawing.tsx';
import { explainRoute, type Explanation } from './query.ts';

const { routing: words } = texts;

type Values = {
  readonly method: string;
  readonly currency: string;
  readonly country: string;
  /** Empty for any amount. */
  readonly amount: string;
  readonly intent: 'CAPTURE' | 'AUTHORIZE';
};

type ExplainDialogProps = {
  readonly services: readonly Row[];
  readonly onClose: () => void;
};

/** Draws the route that a payment would take now. Creates no payment. */
export function ExplainDialog({ services, onClose }: ExplainDialogProps) {
  const payable = services.filter(({ method }) => method !== 'gift-card');
  const [values, setValues] = useState(() => valuesFor(payable));
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const mayReadRules = useMay('routing-rules.read');
  const change = (next: Values): void => {
    setValues(next);
    setExplanation(null);
  };
  return (
    <FormDialog
      title={words.dialogTitle}
      isWide
      submit={words.submit}
      cancel={texts.action.close}
      isReady={
        values.currency !== '' &&
        isCode('currency', values.currency) &&
        isCode('region', values.country) &&
        !isBadAmount(values)
      }
      run={() => explainRoute(inputOf(values), mayReadRules)}
      onDone={setExplanation}
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
  readonly onChange: (values: Values) => void;
};

function Fields({ services, values, onChange }: FieldsProps) {
  const { details, form, test } = texts.services;
  const bind = binder(values, onChange);
  const { currency, country } = values;
  return (
    <>
      <div className="price">
        <SelectField {...bind('method')} label={details.method} options={payableMethods(services)} />
        <TextField
          {...bind('currency')}
          label={test.currency}
          mistake={mistakeOf('currency', currency)}
          required
          maxLength={lengthOf('currency')}
          onChange={(typed) => onChange({ ...values, currency: typed.toUpperCase() })}
        />
        <TextField
          {...bind('country')}
          label={form.optional(test.country)}
          mistake={mistakeOf('region', country)}
          maxLength={lengthOf('region')}
          onChange={(typed) => onChange({ ...values, country: typed.toUpperCase() })}
        />
      </div>
      <TextField
        {...bind('amount')}
        label={form.optional(test.amount)}
        mistake={isBadAmount(values) ? test.badAmount : null}
        inputMode="decimal"
      />
      <Segments
        {...bind('intent')}
        label={test.intent}
        options={optionsOf(test.intents, ['CAPTURE', 'AUTHORIZE'])}
      />
    </>
  );
}

const Route = ({ explanation }: { readonly explanation: Explanation }) => (
  <div className="route-found">
    <DecidedBy decision={(explanation as Partial<Explanation>).decision} />
    {explanation.candidates.length === 0 ? (
      <p>
        <strong>{nobody(explanation)}</strong>
      </p>
    ) : (
      <Stops stops={explanation.candidates.map(stopOf)} />
    )}
    <PassedOver {...passedOverBy(explanation)} />
  </div>
);

/** Says why no service is asked. Without the scope to read rules, the reason names no rule. */
function nobody({ considered, ...explanation }: Explanation): string {
  const { decision } = explanation as Partial<Explanation>;
  const { rule = null, ruleName = null, refusalCode = null } = decision ?? {};
  if (rule !== null && ruleName !== null && refusalCode !== null)
    return words.refused(rule, ruleName, refusalCode);
  if (!considered.some(({ accepts }) => accepts)) return words.nobody;
  return rule === null || ruleName === null ? words.ruledOut : words.leftOut(rule, ruleName);
}

/** Says when a candidate is asked. A candidate without a choice comes after the end of the retries. */
function stopOf(given: Explanation['candidates'][number]): Stop {
  const { paymentService: service, choices } = given;
  const [choice] = choices;
  const { candidate } = words;
  const shared = { key: service.id, service };
  if (choice === undefined)
    return { ...shared, tone: 'calm', state: candidate.never, sentences: [words.never] };
  const behind = given.isSetBehind ? [words.circuit.behind] : [];
  if (choice === 'FIRST' || choice === 'REQUESTED')
    return { ...shared, tone: 'good', state: candidate.first, sentences: [words.why[choice]] };
  return { ...shared, tone: 'info', state: candidate.next, sentences: [words.next, ...behind] };
}

/** Returns the values of a new form, those of the first service. */
const valuesFor = ([first]: readonly Row[]): Values => ({
  method: first?.method ?? 'card',
  currency: first?.acceptedCurrencies[0] ?? 'EUR',
  country: first?.acceptedCountries[0] ?? '',
  amount: '',
  intent: 'CAPTURE',
});

/** Lists the methods that the services take. Cards on the provider's page, wallets and network tokens go to services of cards. */
function payableMethods(services: readonly Row[]): readonly (readonly [string, string])[] {
  const { ability } = texts.services;
  const nameOf = (each: string): string =>
    methodName(each, services.find(({ method }) => method === each)?.definition);
  return methodsOf(services).flatMap((each) =>
    each === 'card'
      ? [
          [each, nameOf(each)] as const,
          [CARD_PAGE, ability.card_page] as const,
          ['applepay', ability.apple_pay] as const,
          ['googlepay', ability.google_pay] as const,
          ['network_token', ability.network_tokens] as const,
        ]
      : [[each, nameOf(each)] as const],
  );
}

/** Tells whether a value is empty or a code that names something. */
const isCode = (kind: CodeKind, code: string): boolean => code === '' || nameOf(kind, code) !== undefined;

/** Says that a whole code names nothing. A shorter one may be half typed. */
const mistakeOf = (kind: CodeKind, code: string): string | null =>
  isCode(kind, code) || code.length < lengthOf(kind) ? null : texts.services.form.unknownCodes(code);

/** Tells whether an amount is typed that is none. */
const isBadAmount = ({ amount, currency }: Values): boolean =>
  amount.trim() !== '' &&
  isCode('currency', currency) &&
  currency !== '' &&
  readMoney(amount, currency) === null;

/** Stands for a card on the provider's page in the list of methods. */
const CARD_PAGE = 'card_page';

const inputOf = ({ country, method, amount, ...rest }: Values): ExplainRoutingInput => ({
  ...rest,
  amount: readMoney(amount, rest.currency),
  ...(method === CARD_PAGE ? { method: 'card', redirect: true } : { method }),
  country: country === '' ? null : country,
});
