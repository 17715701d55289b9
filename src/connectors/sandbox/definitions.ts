import type { Definition, DefinitionField } from '../connector.ts';

const fields: readonly DefinitionField[] = [
  { key: 'merchant_id', displayName: 'Merchant ID', required: true, format: 'text', secret: false },
  { key: 'api_key', displayName: 'API key', required: false, format: 'text', secret: true },
  // Address of a provider simulator of the merchant's own; left out, the built-in one answers.
  { key: 'api_url', displayName: 'API address', required: false, format: 'text', secret: false },
];

const payments = { delayed_capture: true, partial_refunds: true, refunds: true, void: true } as const;

/** What the sandbox can be configured as. Between the two, each feature can be tried where it is and where it is not. */
export const sandboxDefinitions: readonly Definition[] = [
  {
    id: 'mock-card',
    displayName: 'Sandbox card',
    method: 'card',
    fields,
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: {
      ...payments,
      network_tokens_default: false,
      network_tokens_toggle: true,
      open_loop: true,
      open_loop_toggle: true,
      payment_method_tokenization: false,
      payment_method_tokenization_toggle: false,
      settlement_reporting: false,
      three_d_secure_hosted: false,
    },
    sandboxOnly: true,
  },
  {
    id: 'mockds-card',
    displayName: 'Sandbox card with 3DS',
    method: 'card',
    fields,
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
      network_tokens_default: false,
      network_tokens_toggle: false,
      open_loop: false,
      open_loop_toggle: false,
      payment_method_tokenization: true,
      payment_method_tokenization_toggle: true,
      settlement_reporting: true,
      three_d_secure_hosted: true,
    },
    sandboxOnly: true,
  },
];
