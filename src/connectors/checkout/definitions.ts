import {
  applePayFields,
  definitionField as field,
  googlePayField,
  noFeatures,
  type Definition,
  type DefinitionField,
} from '../door.ts';
import { checkoutBuyer } from './buyer.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const fields: readonly DefinitionField[] = [
  field({ key: 'secret_key', displayName: 'Secret key', required: true, secret: true }),
  field({ key: 'processing_channel_id', displayName: 'Processing channel ID', required: true }),
  // The keys with which workflows sign, one a line. While a key changes, both are valid.
  field({
    ...{ key: 'signature_key', displayName: 'Signature keys of the workflow' },
    ...{ required: true, format: 'multiline', secret: true },
  }),
  // Exchanges the tokens of wallets. The key is no secret.
  field({ key: 'public_key', displayName: 'Public key' }),
  // Begins the host of a newer account.
  field({ key: 'api_prefix', displayName: 'Prefix of the API host' }),
  field({ key: 'raw_card_data', displayName: 'The account may send card numbers', format: 'boolean' }),
  googlePayField,
  ...applePayFields,
];

/** Card payments, with the wallets whose tokens are cards. */
const card: Definition = {
  id: 'checkout-card',
  displayName: 'Checkout.com card',
  method: 'card',
  fields,
  reportingFields: [],
  supportedCurrencies: [],
  supportedCountries: [],
  supportedFeatures: {
    ...noFeatures,
    apple_pay: true,
    cancel: true,
    delayed_capture: true,
    dispute_acceptance: true,
    dispute_evidence: true,
    google_pay: true,
    multiple_captures: true,
    open_loop_toggle: true,
    partial_refunds: true,
    payment_method_tokenization: true,
    payment_method_tokenization_toggle: true,
    provider_tokens: true,
    raw_card_data: true,
    refunds: true,
    sync: true,
    three_d_secure_by_provider: true,
    three_d_secure_hosted: true,
    three_d_secure_pass_through: true,
    verify_credentials: true,
    void: true,
  },
  // The page for 3-D Secure ends after 15 minutes. Nothing ends it earlier, so no buyer has less time.
  approvalWindow: { defaultMs: 20 * MINUTE_MS, maxMs: 60 * MINUTE_MS, option: null },
  decisionWindowMs: DAY_MS,
  // Issuers may take half a minute.
  deadlineMs: 30_000,
  sandboxOnly: false,
  buyer: checkoutBuyer,
};

export const checkoutDefinitions: readonly Definition[] = [card];
