import { paypalBuyer } from './buyer.ts';
import {
  definitionField as field,
  noFeatures,
  PAYPAL_CURRENCIES,
  type Definition,
  type DefinitionField,
} from '../door.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The fields of a connection to PayPal. */
const fields: readonly DefinitionField[] = [
  field({ key: 'client_id', displayName: 'Client ID', required: true }),
  field({ key: 'client_secret', displayName: 'Client secret', required: true, secret: true }),
  // The id of the webhook's registration is part of the signed text. PayPal gives the id for an address, which the payment
  // service has after its creation.
  field({ key: 'webhook_id', displayName: 'Webhook ID' }),
  // The software in the buyer's client takes the id. Payments do not need the id.
  field({ key: 'merchant_id', displayName: 'Merchant ID' }),
];

/** Payments from the buyer's account at PayPal, by redirect or in the buyer's client. */
const paypalWallet: Definition = {
  id: 'paypal-paypal',
  displayName: 'PayPal',
  method: 'paypal',
  fields,
  reportingFields: [],
  supportedCurrencies: PAYPAL_CURRENCIES,
  supportedCountries: [],
  supportedFeatures: {
    ...noFeatures,
    cancel: true,
    delayed_capture: true,
    dispute_acceptance: true,
    dispute_evidence: true,
    multiple_captures: true,
    partial_refunds: true,
    payment_method_tokenization: true,
    payment_method_tokenization_toggle: true,
    reauthorization: true,
    refunds: true,
    settlement_reporting: true,
    splits: true,
    sync: true,
    verify_credentials: true,
    void: true,
  },
  // An order that is not completed ends after three hours.
  approvalWindow: { defaultMs: HOUR_MS, maxMs: 3 * HOUR_MS, option: null },
  // An electronic check takes days, and so does a review.
  decisionWindowMs: 14 * DAY_MS,
  deadlineMs: 30_000,
  sandboxOnly: false,
  buyer: paypalBuyer,
};

export const paypalDefinitions: readonly Definition[] = [paypalWallet];
