import type { Definition, DefinitionField } from '../connector.ts';

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
const atOnce = { cancel: false, multiple_captures: false, sync: false } as const;

const HOUR_MS = 3_600_000;

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
      ...payments,
      ...atOnce,
      network_tokens_default: false,
      network_tokens_toggle: true,
      open_loop: true,
      open_loop_toggle: true,
      payment_method_tokenization: false,
      payment_method_tokenization_toggle: false,
      settlement_reporting: false,
      three_d_secure_hosted: false,
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
      ...payments,
      ...atOnce,
      network_tokens_default: false,
      network_tokens_toggle: false,
      open_loop: false,
      open_loop_toggle: false,
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
    supportedFeatures: {
      ...payments,
      cancel: true,
      multiple_captures: true,
      network_tokens_default: false,
      network_tokens_toggle: false,
      open_loop: false,
      open_loop_toggle: false,
      payment_method_tokenization: false,
      payment_method_tokenization_toggle: false,
      settlement_reporting: false,
      sync: true,
      three_d_secure_hosted: false,
    },
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
    supportedFeatures: {
      ...payments,
      ...atOnce,
      network_tokens_default: false,
      network_tokens_toggle: false,
      open_loop: false,
      open_loop_toggle: false,
      payment_method_tokenization: true,
      payment_method_tokenization_toggle: false,
      settlement_reporting: false,
      three_d_secure_hosted: false,
    },
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
    supportedFeatures: {
      ...atOnce,
      delayed_capture: false,
      network_tokens_default: false,
      network_tokens_toggle: false,
      open_loop: false,
      open_loop_toggle: false,
      partial_refunds: true,
      payment_method_tokenization: false,
      payment_method_tokenization_toggle: false,
      refunds: true,
      settlement_reporting: false,
      three_d_secure_hosted: false,
      void: true,
    },
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
    supportedFeatures: {
      ...payments,
      cancel: true,
      multiple_captures: false,
      network_tokens_default: false,
      network_tokens_toggle: false,
      open_loop: false,
      open_loop_toggle: false,
      payment_method_tokenization: false,
      payment_method_tokenization_toggle: false,
      settlement_reporting: false,
      sync: true,
      three_d_secure_hosted: false,
    },
    approvalWindow: { defaultMs: HOUR_MS, maxMs: 72 * HOUR_MS, option: null },
    sandboxOnly: true,
  },
];
