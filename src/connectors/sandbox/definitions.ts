import {
  applePayFields,
  googlePayField,
  noFeatures,
  type Definition,
  type DefinitionField,
} from '../door.ts';
import { CHOSEN_NETWORKS } from './simulator/card-networks.ts';

/** Fields of a connection to the sandbox. */
export const sandboxFields: readonly DefinitionField[] = [
  { key: 'merchant_id', displayName: 'Merchant ID', required: true, format: 'text', secret: false },
  { key: 'api_key', displayName: 'API key', required: false, format: 'text', secret: true },
  // Address of the merchant's own provider simulator. Without an address, the built-in simulator answers.
  { key: 'api_url', displayName: 'API address', required: false, format: 'text', secret: false },
  // Secret that signs webhooks. Without a secret, unsigned webhooks are accepted, in the sandbox only.
  { key: 'webhook_secret', displayName: 'Webhook secret', required: false, format: 'text', secret: true },
];

/** Fields of a connection with access tokens. The merchant's own simulator gives them for the client's secret. */
const clientFields: readonly DefinitionField[] = [
  ...sandboxFields,
  { key: 'client_id', displayName: 'Client ID', required: false, format: 'text', secret: false },
  { key: 'client_secret', displayName: 'Client secret', required: false, format: 'text', secret: true },
];

const giftCardFields: readonly DefinitionField[] = [
  // The merchant id owns the cards: services with the same id share cards.
  ...sandboxFields.filter(({ key }) => key !== 'webhook_secret'),
  // Currency of the cards, by default USD.
  { key: 'currency', displayName: 'Currency of the cards', required: false, format: 'text', secret: false },
];

const payments = {
  delayed_capture: true,
  partial_refunds: true,
  refunds: true,
  verify_credentials: true,
  void: true,
} as const;

/** The means and facts that every card definition takes. */
const cards = {
  installments: true,
  merchant_profile: true,
  raw_card_data: true,
  splits: true,
  three_d_secure_pass_through: true,
} as const;

const disputes = { dispute_acceptance: true, dispute_evidence: true } as const;

/** The sandbox answers at once, so a test of a time-out need not wait long. */
const DEADLINE_MS = 10_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The methods with a client-side approval, and with payment at a shop. */
export const WALLET = 'venmo';
export const PUSH = 'oxxo';

/** The method whose buyer approves at the provider's own page, and comes back to Paygraph. */
export const REDIRECT = 'ideal';

/**
 * The definitions of the sandbox. Every feature is on in some definition and off in another, except for
 * `three_d_secure_by_provider`: Paygraph's simulator authenticates here.
 */
export const sandboxDefinitions: readonly Definition[] = [
  {
    id: 'mock-card',
    displayName: 'Sandbox card',
    method: 'card',
    fields: [...sandboxFields, googlePayField, ...applePayFields],
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: {
      ...noFeatures,
      ...payments,
      ...cards,
      ...disputes,
      apple_pay: true,
      card_network_choice: true,
      google_pay: true,
      network_tokens: true,
      network_tokens_toggle: true,
      incremental_authorization: true,
      open_loop: true,
      open_loop_toggle: true,
      provider_tokens: true,
      reauthorization: true,
    },
    cardNetworks: CHOSEN_NETWORKS,
    approvalWindow: null,
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    id: 'mockds-card',
    displayName: 'Sandbox card with 3DS',
    method: 'card',
    fields: [...sandboxFields, ...applePayFields],
    reportingFields: [
      {
        key: 'report_account',
        displayName: 'Report account',
        required: false,
        format: 'text',
        secret: false,
      },
    ],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: {
      ...noFeatures,
      ...payments,
      ...cards,
      apple_pay: true,
      payment_method_tokenization: true,
      payment_method_tokenization_toggle: true,
      provider_tokens: true,
      settlement_reporting: true,
      three_d_secure_hosted: true,
    },
    approvalWindow: null,
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // Decides some amounts later, supports look-ups, multiple captures and changes of an authorisation, and cancels undecided payments.
    id: 'mock-acquirer',
    displayName: 'Sandbox acquirer',
    method: 'card',
    fields: [...clientFields, googlePayField, ...applePayFields],
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: {
      ...noFeatures,
      ...payments,
      ...cards,
      ...disputes,
      apple_pay: true,
      cancel: true,
      google_pay: true,
      incremental_authorization: true,
      multiple_captures: true,
      reauthorization: true,
      settlement_reporting: true,
      sync: true,
    },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: 'payment_method_expires_at' },
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // Debits a bank account. The provider decides within days, and may take a success back.
    id: 'mock-bank',
    displayName: 'Sandbox bank debit',
    method: 'bank',
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: ['EUR', 'GBP', 'USD'],
    supportedCountries: [],
    supportedFeatures: {
      ...noFeatures,
      partial_refunds: true,
      refunds: true,
      sync: true,
      verify_credentials: true,
    },
    approvalWindow: null,
    decisionWindowMs: 14 * DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // Keeps mandates for recurring payments from a bank account, and revokes them.
    id: 'mock-instant-bank',
    displayName: 'Sandbox instant bank payment',
    method: 'paybybank',
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...noFeatures, ...payments, payment_method_tokenization: true },
    approvalWindow: null,
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // Holds the balances of gift cards. The connector's `giftCards` makes the calls.
    id: 'mock-gift-card',
    displayName: 'Sandbox gift card',
    method: 'gift-card',
    fields: giftCardFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...noFeatures, partial_refunds: true, refunds: true, void: true },
    approvalWindow: null,
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // The buyer approves on our own page, which stands for the provider's page.
    id: 'mock-paypal',
    displayName: 'Sandbox redirect',
    method: 'paypal',
    fields: clientFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...noFeatures, ...payments, cancel: true, sync: true },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: null },
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // The buyer approves at the provider's own page. The provider decides only when the buyer comes back.
    id: 'mock-redirect',
    displayName: 'Sandbox redirect with a return',
    method: REDIRECT,
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...noFeatures, ...payments, cancel: true, sync: true },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: null },
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // With an integration client, the buyer approves in the client after an exchange of the session token.
    // Without a client, the buyer approves as with `mock-paypal`.
    id: 'mock-wallet',
    displayName: 'Sandbox wallet',
    method: WALLET,
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...noFeatures, ...payments, cancel: true, sync: true },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: null },
    decisionWindowMs: DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
  {
    // The buyer pays at a shop, and a webhook reports the payment. Nothing is authorised before, so capture and
    // void do not exist.
    id: 'mock-push',
    displayName: 'Sandbox push payment',
    method: PUSH,
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...noFeatures, cancel: true, partial_refunds: true, refunds: true, sync: true },
    approvalWindow: { defaultMs: 3 * DAY_MS, maxMs: 30 * DAY_MS, option: 'payment_method_expires_at' },
    decisionWindowMs: 33 * DAY_MS,
    deadlineMs: DEADLINE_MS,
    sandboxOnly: true,
  },
];
