import type { Definition, DefinitionField } from '../definition.ts';

/** What connections to the sandbox are configured with. */
export const sandboxFields: readonly DefinitionField[] = [
  { key: 'merchant_id', displayName: 'Merchant ID', required: true, format: 'text', secret: false },
  { key: 'api_key', displayName: 'API key', required: false, format: 'text', secret: true },
  // Address of a provider simulator of the merchant's own; left out, the built-in one answers.
  { key: 'api_url', displayName: 'API address', required: false, format: 'text', secret: false },
  // What its webhooks are signed with; left out, unsigned ones are taken, in the sandbox only.
  { key: 'webhook_secret', displayName: 'Webhook secret', required: false, format: 'text', secret: true },
];

const giftCardFields: readonly DefinitionField[] = [
  // Whose cards they are: services with the same one share them.
  ...sandboxFields.filter(({ key }) => key !== 'webhook_secret'),
  // Currency of the cards; USD when left out.
  { key: 'currency', displayName: 'Currency of the cards', required: false, format: 'text', secret: false },
];

const payments = { delayed_capture: true, partial_refunds: true, refunds: true, void: true } as const;

/** No feature; a definition names those that it has. */
const nothing = {
  cancel: false,
  delayed_capture: false,
  multiple_captures: false,
  network_tokens_default: false,
  network_tokens_toggle: false,
  open_loop: false,
  open_loop_toggle: false,
  partial_refunds: false,
  payment_method_tokenization: false,
  payment_method_tokenization_toggle: false,
  refunds: false,
  settlement_reporting: false,
  sync: false,
  three_d_secure_hosted: false,
  void: false,
} as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The definitions whose buyers approve in a client of the merchant's, and whose buyers pay elsewhere. */
export const WALLET = 'mock-wallet';
export const PUSH = 'mock-push';

/** What the sandbox can be configured as. Between them, each feature can be tried where it is and where it is not. */
export const sandboxDefinitions: readonly Definition[] = [
  {
    id: 'mock-card',
    displayName: 'Sandbox card',
    method: 'card',
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: {
      ...nothing,
      ...payments,
      network_tokens_toggle: true,
      open_loop: true,
      open_loop_toggle: true,
    },
    approvalWindow: null,
    sandboxOnly: true,
  },
  {
    id: 'mockds-card',
    displayName: 'Sandbox card with 3DS',
    method: 'card',
    fields: sandboxFields,
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
      ...nothing,
      ...payments,
      payment_method_tokenization: true,
      payment_method_tokenization_toggle: true,
      settlement_reporting: true,
      three_d_secure_hosted: true,
    },
    approvalWindow: null,
    sandboxOnly: true,
  },
  {
    // Decides some amounts later, can be asked again, takes several captures and cancels what it has not decided.
    id: 'mock-acquirer',
    displayName: 'Sandbox acquirer',
    method: 'card',
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...nothing, ...payments, cancel: true, multiple_captures: true, sync: true },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: 'payment_method_expires_at' },
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
    supportedFeatures: { ...nothing, ...payments, payment_method_tokenization: true },
    approvalWindow: null,
    sandboxOnly: true,
  },
  {
    // Holds the balances of gift cards (facts 8.4); what it can do is in the connector's `giftCards`.
    id: 'mock-gift-card',
    displayName: 'Sandbox gift card',
    method: 'gift-card',
    fields: giftCardFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...nothing, partial_refunds: true, refunds: true, void: true },
    approvalWindow: null,
    sandboxOnly: true,
  },
  {
    // The buyer approves on a page of ours, which stands for the provider's.
    id: 'mock-paypal',
    displayName: 'Sandbox redirect',
    method: 'paypal',
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...nothing, ...payments, cancel: true, sync: true },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: null },
    sandboxOnly: true,
  },
  {
    // With an integration client the buyer approves there, after an exchange of the session token; without, as at mock-paypal.
    id: WALLET,
    displayName: 'Sandbox wallet',
    method: 'venmo',
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...nothing, ...payments, cancel: true, sync: true },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: null },
    sandboxOnly: true,
  },
  {
    // The buyer pays at a shop, which a webhook tells. Nothing is authorised before, so there is nothing to capture or void.
    id: PUSH,
    displayName: 'Sandbox push payment',
    method: 'oxxo',
    fields: sandboxFields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: { ...nothing, cancel: true, partial_refunds: true, refunds: true, sync: true },
    approvalWindow: { defaultMs: 3 * DAY_MS, maxMs: 30 * DAY_MS, option: 'payment_method_expires_at' },
    sandboxOnly: true,
  },
];
