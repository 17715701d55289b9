import { definitionField as field, noFeatures, type Definition, type DefinitionField } from '../door.ts';
import { braintreeBuyer } from './buyer.ts';

const DAY_MS = 24 * 3_600_000;

const fields: readonly DefinitionField[] = [
  field({ key: 'public_key', displayName: 'Public key', required: true }),
  field({ key: 'private_key', displayName: 'Private key', required: true, secret: true }),
  // A currency and its merchant account on each line. The merchant account decides the currency of a payment.
  field({
    ...{ key: 'merchant_accounts', displayName: 'Merchant accounts by currency' },
    ...{ required: true, format: 'multiline' },
  }),
  // Braintree approves accounts one by one for these.
  field({ key: 'raw_card_data', displayName: 'Send card numbers', format: 'boolean' }),
  field({ key: 'multiple_captures', displayName: 'Several captures', format: 'boolean' }),
];

/** Card payments. A name of Braintree's software in the client may also stand for a wallet whose token is a card. */
const card: Definition = {
  id: 'braintree-card',
  displayName: 'Braintree card',
  method: 'card',
  fields,
  reportingFields: [],
  supportedCurrencies: [],
  supportedCountries: [],
  // Without `cancel`: Braintree has no way to keep a late request from paying.
  supportedFeatures: {
    ...noFeatures,
    delayed_capture: true,
    dispute_acceptance: true,
    dispute_evidence: true,
    multiple_captures: true,
    open_loop_toggle: true,
    partial_refunds: true,
    payment_method_tokenization: true,
    payment_method_tokenization_toggle: true,
    provider_tokens: true,
    raw_card_data: true,
    refunds: true,
    sync: true,
    three_d_secure_pass_through: true,
    verify_credentials: true,
    void: true,
  },
  approvalWindow: null,
  decisionWindowMs: 14 * DAY_MS,
  // Issuers may take half a minute.
  deadlineMs: 30_000,
  sandboxOnly: false,
  buyer: braintreeBuyer,
};

export const braintreeDefinitions: readonly Definition[] = [card];
