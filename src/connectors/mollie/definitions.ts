import { definitionField as field, noFeatures, type Definition, type DefinitionField } from '../door.ts';
import { mollieBuyer } from './buyer.ts';
import { CARD, REDIRECT_METHODS, type RedirectMethod } from './methods.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The fields of a connection to Mollie. */
const fields: readonly DefinitionField[] = [
  field({ key: 'api_key', displayName: 'API key', required: true, secret: true }),
  // The secrets of a webhook with signatures, one a line. The webhooks of payments have no signature and need none.
  field({ key: 'webhook_secret', displayName: 'Webhook signing secret', format: 'multiline', secret: true }),
];

/** The features of every definition. */
const everywhere = {
  ...noFeatures,
  cancel: true,
  partial_refunds: true,
  refunds: true,
  sync: true,
  verify_credentials: true,
};

/** The facts of every definition. */
const common = {
  fields,
  reportingFields: [],
  // Mollie ends an open payment by itself, mostly after 15 minutes to 3 hours.
  approvalWindow: { defaultMs: HOUR_MS, maxMs: 3 * HOUR_MS, option: null },
  // Mollie executes a refund after two hours, or when the balance suffices.
  decisionWindowMs: 14 * DAY_MS,
  deadlineMs: 30_000,
  sandboxOnly: false,
  buyer: mollieBuyer,
} satisfies Partial<Definition>;

/** Cards on Mollie's own page, or by a token of Mollie Components. */
const card: Definition = {
  ...common,
  id: 'mollie-card',
  displayName: 'Mollie card',
  method: 'card',
  supportedCurrencies: [],
  supportedCountries: [],
  supportedFeatures: {
    ...everywhere,
    card_page: true,
    delayed_capture: true,
    payment_method_tokenization: true,
    payment_method_tokenization_toggle: true,
    provider_tokens: true,
    void: true,
  },
};

const idOf = ({ method }: Pick<RedirectMethod, 'method'>): string => `mollie-${method}`;

const redirect = (given: RedirectMethod): Definition => ({
  ...common,
  id: idOf(given),
  displayName: given.displayName,
  method: given.method,
  supportedCurrencies: given.currencies,
  supportedCountries: given.countries,
  supportedFeatures: everywhere,
});

/** Mollie's names of the methods, by definition. */
export const METHOD_WORDS: Readonly<Record<string, string>> = {
  [card.id]: CARD,
  ...Object.fromEntries(REDIRECT_METHODS.map((given) => [idOf(given), given.word])),
};

export const mollieDefinitions: readonly Definition[] = [card, ...REDIRECT_METHODS.map(redirect)];
