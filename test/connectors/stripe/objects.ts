import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';

export const KEY = '01993c1e-7d4a-7c55-9d3e-2f1b6a0c4d5e';
export const OTHER_KEY = '01993c1e-7d4a-7c55-9d3e-2f1b6a0c4d5f';

/** A charge in the recorded shape. */
export const charge = (changes: object = {}, card: object = {}) => ({
  id: 'ch_1',
  object: 'charge',
  amount: 1099,
  currency: 'usd',
  outcome: {
    ...{ advice_code: null, network_advice_code: null, network_decline_code: null },
    ...{ network_status: 'approved_by_network', reason: null, type: 'authorized' },
  },
  payment_method_details: {
    type: 'card',
    card: {
      checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
      ...{ brand: 'visa', last4: '4242', exp_month: 3, exp_year: 2030, country: 'US' },
      ...{ authorization_code: '123456', network_transaction_id: '119528868122817' },
      multicapture: { status: 'unavailable' },
      ...card,
    },
  },
  ...changes,
});

/** A payment intent in the recorded shape, authorised by default. */
export const intent = (changes: object = {}) => ({
  id: 'pi_1',
  object: 'payment_intent',
  ...{ amount: 1099, amount_capturable: 1099, amount_received: 0, currency: 'usd' },
  ...{ cancellation_reason: null, capture_method: 'manual', created: 1_790_000_000, customer: null },
  ...{ last_payment_error: null, latest_charge: charge(), livemode: false, next_action: null },
  metadata: { paygraph_operation: KEY, paygraph_verb: 'authorize' },
  ...{ payment_method: 'pm_1', setup_future_usage: null, status: 'requires_capture' },
  ...changes,
});

export const captured = (changes: object = {}) =>
  intent({ status: 'succeeded', amount_capturable: 0, amount_received: 1099, ...changes });

export const setup = (changes: object = {}) => ({
  ...{ id: 'seti_1', object: 'setup_intent', status: 'succeeded', customer: 'cus_1', payment_method: 'pm_1' },
  ...{ last_setup_error: null, next_action: null, metadata: { paygraph_operation: KEY } },
  usage: 'off_session',
  ...changes,
});

export const refund = (changes: object = {}) => ({
  ...{ id: 're_1', object: 'refund', amount: 400, currency: 'usd', charge: 'ch_1', payment_intent: 'pi_1' },
  ...{ status: 'succeeded', failure_reason: null },
  metadata: { paygraph_operation: KEY, paygraph_verb: 'refund' },
  ...changes,
});

export const dispute = (changes: object = {}) => ({
  ...{ id: 'dp_1', object: 'dispute', amount: 1099, currency: 'usd', charge: 'ch_1', payment_intent: 'pi_1' },
  evidence: { receipt: null },
  evidence_details: { due_by: 1_790_000_000, has_evidence: false, past_due: false, submission_count: 0 },
  metadata: {},
  payment_method_details: { type: 'card', card: { brand: 'visa', network_reason_code: '10.4' } },
  ...{ reason: 'fraudulent', status: 'needs_response' },
  ...changes,
});

export const page = (data: readonly unknown[], more = false) => ({ object: 'list', data, has_more: more });

export const errorOf = (error: object) => ({
  error: { message: 'No.', type: 'invalid_request_error', ...error },
});

/** A payer without any details. */
export const NOBODY = {
  ...{ reference: null, firstName: null, lastName: null, email: null, phone: null },
  ...{ billingAddress: null, taxId: null, shipping: null },
};

export const ALONE = {
  store: false,
  tokenizes: false,
  source: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  schemeTransactionId: null,
} as const;

export const CARD = { number: '4242424242424242', expirationDate: '03/30', securityCode: '737' };

/** An authorisation of a card in clear, without any details. */
export const authorization = (changes: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
  ...{ key: KEY, money: { amount: 1099, currency: 'USD' }, card: CARD, token: null, wallet: null },
  ...{ networkToken: null, bank: null, series: ALONE, approvalPage: null },
  returnUrl: 'https://paygraph.example/return/abc',
  notifyUrl: null,
  ...{ merchantReference: 'order-7', integrationClient: null, capture: false, installmentCount: null },
  cardNetwork: null,
  ...{ statementDescriptor: null, order: null, buyer: NOBODY, ipAddress: null, browserInfo: null },
  ...{ statementDescriptor: null, country: null, buyer: NOBODY, ipAddress: null, browserInfo: null },
  ...{ merchantProfile: null, threeDSecure: null, authentication: 'automatic', options: null },
  ...{ isRepeat: false },
  ...changes,
});

/** A network token of a card that pays. */
export const NETWORK_TOKEN = {
  ...{ number: '4242424242424242', expirationDate: '03/30' },
  ...{ cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=', eci: '05' },
} as const;
