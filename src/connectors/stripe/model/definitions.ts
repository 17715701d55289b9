import {
  applePayFields,
  googlePayField,
  noFeatures,
  omitOrderField,
  type Definition,
  type DefinitionField,
} from '../../door.ts';
import { stripeBuyer } from './buyer.ts';
import { idOf, STRIPE_METHODS, type Flow, type StripeMethod } from './methods.ts';

/** Fields of every connection to Stripe. */
const fields: readonly DefinitionField[] = [
  { key: 'secret_key', displayName: 'Secret key', required: true, format: 'text', secret: true },
  // The signing secrets of the webhook endpoint, one a line. While a secret rolls, both are valid. Stripe makes the first one
  // only for an address, which the payment service has after its creation.
  {
    ...{ key: 'webhook_secret', displayName: 'Webhook signing secret' },
    ...{ required: false, format: 'multiline', secret: true },
  },
  // The connected account for which a platform acts.
  { key: 'stripe_account', displayName: 'Connected account', required: false, format: 'text', secret: false },
];

const optional = (key: string, displayName: string): DefinitionField => ({
  ...{ key, displayName, required: false, format: 'boolean', secret: false },
});

const cardFields: readonly DefinitionField[] = [
  ...fields,
  // Stripe approves accounts one by one for these.
  optional('raw_card_data', 'Send card numbers'),
  optional('multiple_captures', 'Several captures'),
  optional('incremental_authorization', 'Raise authorisations'),
  // The text that precedes the suffix on a statement, as the account has it.
  {
    ...{ key: 'statement_prefix', displayName: 'Prefix of the statement' },
    ...{ required: false, format: 'text', secret: false },
  },
  // The recipient of a split is then the merchant on the buyer's statement.
  optional('on_behalf_of', 'Charge on behalf of recipients'),
  optional('network_transaction_ids', 'Send network transaction ids'),
  optional('network_tokens', 'Send network tokens'),
  omitOrderField,
  // Google asks Stripe for a token with this key. The key is no secret.
  {
    ...{ key: 'publishable_key', displayName: 'Publishable key' },
    ...{ required: false, format: 'text', secret: false },
  },
  googlePayField,
  ...applePayFields,
];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The key of the authorisation must still be valid when the buyer comes back. */
const APPROVAL = { defaultMs: HOUR_MS, maxMs: 23 * HOUR_MS, option: null } as const;

/** The features of every definition. */
const everywhere = {
  ...noFeatures,
  settlement_reporting: true,
  sync: true,
  verify_credentials: true,
} as const;

/** The features of cards and bank accounts. */
const common = {
  ...everywhere,
  partial_refunds: true,
  payment_method_tokenization: true,
  payment_method_tokenization_toggle: true,
  refunds: true,
} as const;

/** The part that all definitions share. Issuers and banks may take half a minute. */
const shared = {
  reportingFields: [],
  supportedCountries: [],
  deadlineMs: 30_000,
  sandboxOnly: false,
  buyer: stripeBuyer,
} as const;

/** Stripe's names of the networks that a buyer may choose. */
export const NETWORKS = {
  amex: 'amex',
  carte_bancaire: 'cartes_bancaires',
  diners_club: 'diners',
  discover: 'discover',
  eftpos_australia: 'eftpos_au',
  jcb: 'jcb',
  mastercard: 'mastercard',
  unionpay: 'unionpay',
  visa: 'visa',
} as const;

/** Card payments, with the wallets whose tokens are cards. */
const card: Definition = {
  ...shared,
  id: 'stripe-card',
  displayName: 'Stripe card',
  method: 'card',
  fields: cardFields,
  supportedCurrencies: [],
  supportedFeatures: {
    ...common,
    apple_pay: true,
    cancel: true,
    card_network_choice: true,
    delayed_capture: true,
    dispute_acceptance: true,
    dispute_evidence: true,
    google_pay: true,
    incremental_authorization: true,
    installments: true,
    multiple_captures: true,
    network_tokens: true,
    network_tokens_toggle: true,
    open_loop_toggle: true,
    provider_tokens: true,
    raw_card_data: true,
    splits: true,
    three_d_secure_by_provider: true,
    three_d_secure_hosted: true,
    three_d_secure_pass_through: true,
    void: true,
  },
  cardNetworks: Object.keys(NETWORKS),
  approvalWindow: APPROVAL,
  decisionWindowMs: DAY_MS,
};

/** A debit of a bank account. The bank's own rules end every dispute about it. */
const bank = (
  scheme: 'sepa' | 'ach' | 'bacs',
  { displayName, currency, decisionDays }: { displayName: string; currency: string; decisionDays: number },
): Definition => ({
  ...shared,
  id: `stripe-${scheme}`,
  displayName,
  method: 'bank',
  fields,
  supportedCurrencies: [currency],
  supportedFeatures: common,
  approvalWindow: null,
  decisionWindowMs: decisionDays * DAY_MS,
});

/** The time of the buyer. Stripe itself ends a voucher earlier. A shop tells Stripe days after the buyer paid. */
const WINDOWS: Readonly<Record<Flow, NonNullable<Definition['approvalWindow']>>> = {
  redirect: APPROVAL,
  qr: APPROVAL,
  voucher: { defaultMs: 8 * DAY_MS, maxMs: 14 * DAY_MS, option: null, toldWithinMs: 5 * DAY_MS },
};

/** The definition of a method that the buyer approves or pays elsewhere. */
const elsewhere = (given: StripeMethod): Definition => ({
  ...shared,
  id: idOf(given),
  displayName: given.displayName,
  method: given.method,
  fields,
  supportedCurrencies: given.currencies,
  supportedCountries: given.countries,
  supportedFeatures: {
    ...everywhere,
    cancel: true,
    ...(given.isRefunded && { partial_refunds: true, refunds: true }),
    ...(given.capturesLater && { delayed_capture: true, void: true }),
  },
  needs: given.needs,
  approvalWindow: WINDOWS[given.flow],
  decisionWindowMs: DAY_MS,
});

/** The definitions of Stripe. The days of a bank are its business days with weekends and holidays. */
export const stripeDefinitions: readonly Definition[] = [
  card,
  bank('sepa', { displayName: 'Stripe SEPA debit', currency: 'EUR', decisionDays: 21 }),
  // Two deposits of some cents may verify the account first, for which the payer has ten days.
  bank('ach', { displayName: 'Stripe ACH debit', currency: 'USD', decisionDays: 21 }),
  bank('bacs', { displayName: 'Stripe Bacs debit', currency: 'GBP', decisionDays: 14 }),
  ...STRIPE_METHODS.map(elsewhere),
];

/** The name of a definition's payment method at Stripe. */
export const METHOD_TYPES: Readonly<Record<string, 'card' | StripeMethod['type']>> = {
  'stripe-card': 'card',
  'stripe-sepa': 'sepa_debit',
  'stripe-ach': 'us_bank_account',
  'stripe-bacs': 'bacs_debit',
  ...Object.fromEntries(STRIPE_METHODS.map((each) => [idOf(each), each.type])),
};
