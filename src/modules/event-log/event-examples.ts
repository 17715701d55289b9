import type { EventName } from './event-names.ts';
import { targetKindOf } from './payload-schemas.ts';
import { PAYLOAD_VERSION } from './payload-version.ts';
import type { NameOf, Target, TargetKind } from './target-schemas.ts';

// Examples of payloads for people who write a consumer. A test holds each against its JSON Schema.

const AT = '2026-03-01T09:30:00.000Z';
const MOMENTS = { created_at: AT, updated_at: AT };

/** Returns the id of an example. */
const id = (number: number): string => `019ca8f0-0000-7000-8000-${String(number).padStart(12, '0')}`;

const TRANSACTION_ID = id(1);
const SERVICE_ID = id(2);
const BUYER_ID = id(3);

const OPERATION = {
  status: 'succeeded',
  transaction_id: TRANSACTION_ID,
  amount: 1299,
  currency: 'EUR',
  external_identifier: null,
  error_code: null,
  reversed_amount: 0,
  reversal_code: null,
  origin: 'requested',
  created_at: AT,
} as const;

const PAYMENT_METHOD: Target<'payment-method'> = {
  ...{ type: 'payment-method', id: id(6), method: 'card', status: 'succeeded', buyer_id: BUYER_ID },
  ...{ external_identifier: 'card-1', ...MOMENTS },
};

const PAYMENT_LINK: Target<'payment-link'> = {
  ...{ type: 'payment-link', id: id(10), status: 'active', external_identifier: 'invoice-204' },
  ...{ amount: 1299, currency: 'EUR', buyer_id: null, metadata: null },
  ...{ expires_at: '2026-03-08T09:30:00.000Z', ...MOMENTS },
};

/** A target of each kind. */
const TARGETS: { readonly [Kind in TargetKind]: Target<Kind> } = {
  'anti-fraud-service': {
    ...{ type: 'anti-fraud-service', id: id(4), anti_fraud_service_definition_id: 'mock-anti-fraud' },
    ...{ active: true, ...MOMENTS },
  },
  'api-key-pair': {
    ...{ type: 'api-key-pair', id: id(5), display_name: 'Shop backend', active: true },
    ...{ scopes: ['transactions.read', 'transactions.write'], expires_at: null, ...MOMENTS },
  },
  buyer: {
    ...{ type: 'buyer', id: BUYER_ID, reconciliation_id: '1BvOmcY2YTi9PnBUWS5gV', ...MOMENTS },
    external_identifier: 'customer-17',
  },
  capture: { type: 'capture', id: id(7), ...OPERATION, final: true, splits: null },
  dispute: {
    ...{ type: 'dispute', id: id(8), transaction_id: TRANSACTION_ID, payment_service_id: SERVICE_ID },
    ...{ payment_service_dispute_id: 'dp_1', stage: 'chargeback', status: 'needs_response' },
    ...{ reason: 'product_not_received', reason_code: '13.1', amount: 1299, currency: 'EUR', lost_amount: 0 },
    ...{ respond_by: '2026-03-15T23:59:59.000Z', response: null, ...MOMENTS },
  },
  'gift-card': {
    ...{ type: 'gift-card', id: id(9), buyer_id: BUYER_ID, bin: '603628', sub_bin: '6036', last4: '0017' },
    ...{ currency: 'EUR', balance: 5000, ...MOMENTS },
  },
  'payment-link': PAYMENT_LINK,
  'payment-link.receipt-requested': {
    ...{ ...PAYMENT_LINK, status: 'completed' },
    ...{ transaction_id: TRANSACTION_ID, email_address: 'jane@example.com' },
  },
  'payment-method': PAYMENT_METHOD,
  'recurring.token.created': { ...PAYMENT_METHOD, payment_service_id: SERVICE_ID },
  'recurring.token.disabled': { ...PAYMENT_METHOD, payment_service_id: SERVICE_ID },
  payout: {
    ...{ type: 'payout', id: id(11), payment_service_id: SERVICE_ID, payment_service_payout_id: 'po_1' },
    ...{ amount: 98_120, fee: 1880, currency: 'EUR', settled_on: '2026-03-03', created_at: AT },
  },
  refund: {
    type: 'refund',
    id: id(12),
    ...OPERATION,
    amount: 500,
    reason: 'One item came back.',
    splits: null,
  },
  'retry-plan': {
    ...{
      type: 'retry-plan',
      id: TRANSACTION_ID,
      transaction_id: TRANSACTION_ID,
      status: 'active',
      reason: null,
    },
    ...{ tries: 1, next_try_at: '2026-03-04T09:30:00.000Z', ends_at: '2026-03-15T09:30:00.000Z', ...MOMENTS },
  },
  'refund-approval': {
    ...{
      type: 'refund-approval',
      id: id(18),
      transaction_id: TRANSACTION_ID,
      amount: 60_000,
      currency: 'EUR',
    },
    ...{ status: 'pending', reason: 'The order was cancelled.', external_identifier: null },
    ...{ requested_by: 'kim@shop.example', decided_by: null, decision_reason: null, error_code: null },
    ...{ created_at: AT, expires_at: '2026-03-04T09:30:00.000Z', decided_at: null },
  },
  'payment-service': {
    ...{ type: 'payment-service', id: SERVICE_ID, opened_at: AT },
    ...{ calls: 24, failures: 17, failed_trials: 0 },
  },
  'routing-activation': {
    ...{
      type: 'routing-activation',
      id: id(19),
      version_id: id(20),
      api_key_pair_id: null,
      active_from: AT,
      created_at: AT,
    },
  },
  'routing-rule-set': {
    ...{ type: 'routing-rule-set', id: id(21), name: 'Cards in Europe', latest_version: 1, ...MOMENTS },
  },
  'routing-value-set': { type: 'routing-value-set', id: id(22), name: 'Our issuers', ...MOMENTS },
  settlement: {
    ...{ type: 'settlement', id: id(13), payment_service_id: SERVICE_ID },
    ...{ payment_service_settlement_id: 'txn_1', kind: 'charge', transaction_id: TRANSACTION_ID },
    ...{ payment_service_kind: 'charge', report_line: null },
    ...{ operation_id: id(7), gross: 1299, fee: 29, net: 1270, currency: 'EUR', settled_on: '2026-03-03' },
    ...{ difference: 'other_amount', explanation: null, ...MOMENTS },
  },
  'shipping-details': { type: 'shipping-details', id: id(14), buyer_id: BUYER_ID, ...MOMENTS },
  'three-ds-scenario': { type: 'three-ds-scenario', id: id(15), ...MOMENTS },
  transaction: {
    ...{ type: 'transaction', id: TRANSACTION_ID, status: 'capture_succeeded' },
    ...{ payment_method: { method: 'card' }, bank: null, external_identifier: 'order-1001' },
    ...{ amount: 1299, currency: 'EUR', authorized_amount: 1299, captured_amount: 1299, refunded_amount: 0 },
    splits: null,
    ...{ payment_service_transaction_id: 'pi_1', payment_link_id: null, anti_fraud_decision: null },
    ...{
      pending_review: false,
      has_gift_card_redemptions: false,
      error_code: null,
      metadata: null,
      origin: 'requested',
    },
    ...MOMENTS,
  },
  'webhook-endpoint': {
    ...{ type: 'webhook-endpoint', id: id(16), url: 'https://shop.example/hooks', state: 'active' },
    ...{ state_reason: null, failing_since: null },
  },
};

const UNPAID = { authorized_amount: 0, captured_amount: 0, payment_service_transaction_id: null } as const;
const DECIDED = { decided_by: 'robin@shop.example', decided_at: AT } as const;
const UNCAPTURED = { status: 'authorization_succeeded', captured_amount: 0 } as const;

/** The fields that differ from the target of the kind. */
const OTHERWISE: {
  readonly [Kind in TargetKind as NameOf<Kind>]?: Partial<Target<Kind>>;
} = {
  'anti-fraud-service.deleted': { active: false },
  'capture.pending': { status: 'pending' },
  'capture.declined': { status: 'declined', error_code: 'declined' },
  'capture.failed': { status: 'failed', error_code: 'provider_error' },
  'capture.reversed': { reversed_amount: 1299, reversal_code: 'insufficient_funds' },
  'dispute.won': { status: 'won' },
  'dispute.lost': { status: 'lost', lost_amount: 1299 },
  'payment-link.updated': { status: 'completed' },
  'payment-method.deleted': { status: 'deleted' },
  'payment-method.paused': { status: 'paused' },
  'refund.pending': { status: 'pending' },
  'refund.declined': { status: 'declined', error_code: 'declined' },
  'refund.failed': { status: 'failed', error_code: 'provider_error' },
  'refund.reversed': { reversed_amount: 500, reversal_code: 'account_closed' },
  'refund-approval.approved': { ...DECIDED, status: 'approved' },
  'refund-approval.rejected': {
    ...DECIDED,
    status: 'rejected',
    decision_reason: 'The goods did not come back.',
  },
  'refund-approval.withdrawn': { ...DECIDED, status: 'withdrawn', decided_by: 'kim@shop.example' },
  'refund-approval.expired': { status: 'expired', decided_at: '2026-03-04T09:30:00.000Z' },
  'refund-approval.failed': { ...DECIDED, status: 'failed', error_code: 'refund_too_large' },
  'retry-plan.succeeded': { status: 'succeeded', next_try_at: null },
  'retry-plan.exhausted': { status: 'exhausted', reason: 'no_time_left', next_try_at: null },
  'retry-plan.stopped': { status: 'stopped', next_try_at: null },
  'retry-plan.ended': { status: 'ended', reason: 'tries_forbidden', next_try_at: null },
  'settlement.difference-resolved': { difference: null },
  'settlement.difference-explained': { explanation: 'The provider charged a correction.' },
  'transaction.anti-fraud-decided': { ...UNPAID, status: 'processing', anti_fraud_decision: 'accept' },
  'transaction.authentication-pending': { ...UNPAID, status: 'buyer_approval_pending' },
  'transaction.authenticated': { ...UNPAID, status: 'processing' },
  'transaction.authorized': UNCAPTURED,
  'transaction.declined': { ...UNPAID, status: 'authorization_declined', error_code: 'insufficient_funds' },
  'transaction.failed': { ...UNPAID, status: 'authorization_failed', error_code: 'provider_error' },
  'transaction.increase-pending': UNCAPTURED,
  'transaction.authorization-increased': { ...UNCAPTURED, authorized_amount: 1599 },
  'transaction.increase-declined': UNCAPTURED,
  'transaction.increase-failed': UNCAPTURED,
  'transaction.reauthorize-pending': UNCAPTURED,
  'transaction.reauthorized': UNCAPTURED,
  'transaction.reauthorize-declined': UNCAPTURED,
  'transaction.reauthorize-failed': UNCAPTURED,
  'transaction.capture-pending': { status: 'capture_pending', captured_amount: 0 },
  'transaction.capture-failed': UNCAPTURED,
  'transaction.capture-reversed': { captured_amount: 0 },
  'transaction.late-authorization': { ...UNPAID, status: 'authorization_declined', origin: 'provider' },
  'transaction.late-authorization-released': { ...UNPAID, status: 'authorization_declined' },
  'transaction.late-authorization-kept': { ...UNPAID, status: 'authorization_declined' },
  'transaction.void-pending': { ...UNCAPTURED, status: 'authorization_void_pending' },
  'transaction.voided': { ...UNCAPTURED, status: 'authorization_voided' },
  'transaction.void-declined': UNCAPTURED,
  'transaction.void-failed': UNCAPTURED,
  'transaction.expired': UNCAPTURED,
  'transaction.review-accepted': { anti_fraud_decision: 'review' },
  'transaction.review-rejected': { ...UNCAPTURED, anti_fraud_decision: 'review' },
  'webhook-endpoint.failing': { state: 'failing', failing_since: AT },
  'webhook-endpoint.disabled': { state: 'disabled', failing_since: AT },
};

/** Returns a payload as a consumer may get it. */
export const examplePayload = (name: EventName): Readonly<Record<string, unknown>> => ({
  ...{ sequence: 42, version: PAYLOAD_VERSION, type: 'event', id: id(17), name, created_at: AT },
  ...{ merchant_account_id: 'default', environment: 'sandbox' },
  target: { ...TARGETS[targetKindOf(name)], ...OTHERWISE[name] },
});
