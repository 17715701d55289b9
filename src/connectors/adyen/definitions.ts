import { adyenBuyer } from './buyer.ts';
import { ADYEN_METHODS, idOf, type AdyenMethod } from './methods.ts';
import {
  applePayFields,
  definitionField as field,
  googlePayField,
  noFeatures,
  omitOrderField,
  type Definition,
  type DefinitionField,
  type Feature,
} from '../door.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Issuers may take 30 seconds. */
const DEADLINE_MS = 30_000;

/** Adyen ends an open payment after 12 hours. */
const APPROVAL = { defaultMs: HOUR_MS, maxMs: 12 * HOUR_MS, option: null } as const;

/** The fields of every connection to Adyen. */
const FIELDS: readonly DefinitionField[] = [
  field({ key: 'api_key', displayName: 'API key', required: true, secret: true }),
  field({ key: 'merchant_account', displayName: 'Merchant account', required: true }),
  // Begins the host of a live account. The test environment has one host for all.
  field({ key: 'live_prefix', displayName: 'Live URL prefix' }),
  // One key for each of the two webhooks, and twice as many during a change, in hexadecimal digits.
  field({ key: 'hmac_key', displayName: 'HMAC keys of the webhooks', required: true, secret: true }),
  // Reports have an API user of their own. Without a key, the API key must have the role for reports.
  field({ key: 'report_api_key', displayName: 'API key of the report user', secret: true }),
  field({ key: 'report_first_batch', displayName: 'First settlement batch', format: 'number' }),
];

const SEVERAL_CAPTURES = field({
  ...{ key: 'multiple_captures', displayName: 'Multiple partial captures are enabled', format: 'boolean' },
});

const CARD_FIELDS: readonly DefinitionField[] = [
  ...FIELDS,
  field({ key: 'raw_card_data', displayName: 'The API key may send raw card data', format: 'boolean' }),
  SEVERAL_CAPTURES,
  omitOrderField,
  field({ key: 'incremental_authorization', displayName: 'Raise authorisations', format: 'boolean' }),
  // Public: Adyen's software in the buyer's client names it. Adyen ties the key to the origins of the merchant's pages.
  field({ key: 'client_key', displayName: "Client key of Adyen's software" }),
  googlePayField,
  ...applePayFields,
];

/** The features of most definitions. Adyen has no call that reads a payment, so `sync` is off. */
const EVERYWHERE = {
  partial_refunds: true,
  refunds: true,
  settlement_reporting: true,
  verify_credentials: true,
} as const satisfies Partial<Record<Feature, boolean>>;

const CARD_FEATURES = {
  apple_pay: true,
  cancel: true,
  card_network_choice: true,
  delayed_capture: true,
  dispute_acceptance: true,
  dispute_evidence: true,
  google_pay: true,
  incremental_authorization: true,
  installments: true,
  merchant_profile: true,
  multiple_captures: true,
  network_tokens: true,
  network_tokens_toggle: true,
  open_loop_toggle: true,
  payment_method_tokenization: true,
  payment_method_tokenization_toggle: true,
  provider_tokens: true,
  raw_card_data: true,
  splits: true,
  three_d_secure_by_provider: true,
  three_d_secure_hosted: true,
  three_d_secure_pass_through: true,
  void: true,
} as const satisfies Partial<Record<Feature, boolean>>;

/** Adyen's names of the brands that a buyer may choose. */
export const BRANDS: Readonly<Record<string, string>> = {
  accel: 'accel',
  amex: 'amex',
  bancontact: 'bcmc',
  carte_bancaire: 'cartebancaire',
  dankort: 'dankort',
  diners_club: 'diners',
  discover: 'discover',
  eftpos_australia: 'eftpos_australia',
  jcb: 'jcb',
  maestro: 'maestro',
  mastercard: 'mc',
  nyce: 'nyce',
  pulse: 'pulse',
  star: 'star',
  unionpay: 'cup',
  visa: 'visa',
};

const card: Definition = {
  id: 'adyen-card',
  displayName: 'Adyen card',
  method: 'card',
  fields: CARD_FIELDS,
  reportingFields: [],
  supportedCurrencies: [],
  supportedCountries: [],
  supportedFeatures: { ...noFeatures, ...EVERYWHERE, ...CARD_FEATURES },
  cardNetworks: Object.keys(BRANDS),
  approvalWindow: APPROVAL,
  decisionWindowMs: 3 * DAY_MS,
  deadlineMs: DEADLINE_MS,
  sandboxOnly: false,
  buyer: adyenBuyer,
};

/** A debit is collected within days. The bank may return it weeks later, as a dispute. */
const sepa: Definition = {
  id: 'adyen-sepa',
  displayName: 'Adyen SEPA direct debit',
  method: 'bank',
  fields: FIELDS,
  reportingFields: [],
  supportedCurrencies: ['EUR'],
  supportedCountries: [],
  supportedFeatures: { ...noFeatures, ...EVERYWHERE, dispute_acceptance: true },
  approvalWindow: null,
  decisionWindowMs: 14 * DAY_MS,
  deadlineMs: DEADLINE_MS,
  sandboxOnly: false,
  buyer: adyenBuyer,
};

/** The time of the buyer. Adyen itself ends a voucher earlier. A shop tells Adyen days after the buyer paid. */
const WINDOWS: Readonly<Record<AdyenMethod['flow'], NonNullable<Definition['approvalWindow']>>> = {
  redirect: APPROVAL,
  qr: APPROVAL,
  push: APPROVAL,
  voucher: { defaultMs: 8 * DAY_MS, maxMs: 14 * DAY_MS, option: null, toldWithinMs: 5 * DAY_MS },
};

/** The definition of a method that the buyer approves or pays elsewhere. */
const elsewhere = (given: AdyenMethod): Definition => ({
  id: idOf(given),
  displayName: given.displayName,
  method: given.method,
  fields: given.capturesSeveral ? [...FIELDS, SEVERAL_CAPTURES] : FIELDS,
  reportingFields: [],
  supportedCurrencies: given.currencies,
  supportedCountries: given.countries,
  ...(given.localCurrencies && { localCurrencies: given.localCurrencies }),
  supportedFeatures: {
    ...{ ...noFeatures, ...EVERYWHERE, cancel: true },
    ...{ partial_refunds: given.isPartlyRefunded, refunds: given.isRefunded },
    ...(given.capturesLater && { delayed_capture: true, void: true }),
    multiple_captures: given.capturesSeveral,
  },
  needs: given.needs,
  approvalWindow: WINDOWS[given.flow],
  decisionWindowMs: 3 * DAY_MS,
  deadlineMs: DEADLINE_MS,
  sandboxOnly: false,
  buyer: adyenBuyer,
});

export const adyenDefinitions: readonly Definition[] = [card, sepa, ...ADYEN_METHODS.map(elsewhere)];
