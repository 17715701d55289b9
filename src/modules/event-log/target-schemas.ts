import { SETTLEMENT_KINDS } from '../../connectors/notices/settlements.ts';
import type { EventName } from './event-names.ts';
import {
  choice,
  choiceOrNull,
  complete,
  completeOrNull,
  DAY,
  constant,
  COUNT,
  COUNT_OR_NULL,
  CURRENCY,
  FLAG,
  METADATA,
  MINOR_UNITS,
  MOMENT,
  MOMENT_OR_NULL,
  SIGNED_UNITS,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  UUID,
  UUID_OR_NULL,
  type JsonSchema,
  type ValueOf,
} from './json-schema.ts';
import { BANK, RETRY_PLAN, SPLITS_OF_OPERATION, SPLITS_OF_PAYMENT } from './payment-parts.ts';

/** The events whose targets have a form of their own. */
export const OWN_FORMS = [
  'payment-link.receipt-requested',
  'recurring.token.created',
  'recurring.token.disabled',
] as const;

type OwnForm = (typeof OWN_FORMS)[number];

/** The kinds of targets: the first word of a name, or a name with a form of its own. */
export type TargetKind = Exclude<FirstWord<EventName>, 'recurring'> | OwnForm;

type FirstWord<Name extends string> = Name extends `${infer Word}.${string}` ? Word : never;

const record = <const Type extends string, Fields extends Readonly<Record<string, JsonSchema>>>(
  type: Type,
  fields: Fields,
) => complete({ type: constant(type), id: UUID, ...fields });

const MOMENTS = { created_at: MOMENT, updated_at: MOMENT };
const ACTIVATION = {
  ...{ version_id: UUID_OR_NULL, api_key_pair_id: UUID_OR_NULL },
  ...{ active_from: MOMENT, created_at: MOMENT },
};

const CHECKED = ['pending', 'accept', 'reject', 'review', 'error', 'exception', 'skipped'] as const;

/** The origin of an operation, or of the change that an event is about. */
const ORIGIN = {
  ...choice('requested', 'provider'),
  description: '`provider`: made at the provider, without a request from here.',
};

const OPERATION = {
  status: choice('pending', 'succeeded', 'declined', 'failed'),
  transaction_id: UUID,
  amount: MINOR_UNITS,
  currency: CURRENCY,
  external_identifier: TEXT_OR_NULL,
  error_code: { ...TEXT_OR_NULL, description: 'A code of the query `declineCodes`.' },
  reversed_amount: MINOR_UNITS,
  reversal_code: {
    ...TEXT_OR_NULL,
    description: 'A code of the query `declineCodes`. Null without a reversal.',
  },
  origin: ORIGIN,
  created_at: MOMENT,
};

const PAYMENT_LINK = {
  status: choice('active', 'processing', 'completed', 'expired'),
  external_identifier: TEXT_OR_NULL,
  amount: MINOR_UNITS,
  currency: CURRENCY,
  buyer_id: UUID_OR_NULL,
  metadata: METADATA,
  expires_at: MOMENT,
  ...MOMENTS,
};

const PAYMENT_METHOD = {
  method: TEXT,
  status: choice(
    'processing',
    'buyer_approval_required',
    'succeeded',
    'failed',
    'paused',
    'deleting',
    'deleted',
  ),
  buyer_id: UUID_OR_NULL,
  external_identifier: TEXT_OR_NULL,
  ...MOMENTS,
};

const TOKEN = record('payment-method', { ...PAYMENT_METHOD, payment_service_id: UUID });

/** The short form of each kind of record. Words of an enum are the API's words in lower case. */
export const TARGET_SCHEMAS = {
  'anti-fraud-service': record('anti-fraud-service', {
    anti_fraud_service_definition_id: TEXT,
    active: FLAG,
    ...MOMENTS,
  }),
  'api-key-pair': record('api-key-pair', {
    display_name: TEXT,
    active: FLAG,
    scopes: TEXTS,
    expires_at: MOMENT_OR_NULL,
    ...MOMENTS,
  }),
  buyer: record('buyer', { reconciliation_id: TEXT, external_identifier: TEXT_OR_NULL, ...MOMENTS }),
  capture: record('capture', { ...OPERATION, final: FLAG, splits: SPLITS_OF_OPERATION }),
  dispute: record('dispute', {
    transaction_id: UUID,
    payment_service_id: UUID,
    payment_service_dispute_id: TEXT,
    stage: choice('inquiry', 'chargeback', 'pre_arbitration'),
    status: choice('needs_response', 'under_review', 'expired', 'won', 'lost', 'accepted', 'closed'),
    reason: choice(
      'fraudulent',
      'unrecognized',
      'duplicate',
      'incorrect_amount',
      'product_not_received',
      'product_unacceptable',
      'subscription_canceled',
      'credit_not_processed',
      'processing_error',
      'general',
    ),
    reason_code: { ...TEXT_OR_NULL, description: "The provider's or the scheme's own code of the reason." },
    amount: MINOR_UNITS,
    currency: CURRENCY,
    lost_amount: {
      ...MINOR_UNITS,
      description: 'Booked as lost, in minor units of the currency of the payment.',
    },
    respond_by: MOMENT_OR_NULL,
    response: {
      ...completeOrNull({
        id: UUID,
        kind: choice('evidence', 'acceptance'),
        stage: choice('inquiry', 'chargeback', 'pre_arbitration'),
        status: choice('pending', 'succeeded', 'failed'),
        error_code: {
          ...TEXT_OR_NULL,
          description: "The provider's code of a refusal, or `unknown_outcome`.",
        },
      }),
      description: "The merchant's response that caused the event. Null for a report of the provider.",
    },
    ...MOMENTS,
  }),
  'gift-card': record('gift-card', {
    buyer_id: UUID_OR_NULL,
    bin: TEXT,
    sub_bin: TEXT,
    last4: TEXT,
    currency: CURRENCY,
    balance: MINOR_UNITS,
    ...MOMENTS,
  }),
  'payment-link': record('payment-link', PAYMENT_LINK),
  'payment-link.receipt-requested': record('payment-link', {
    ...PAYMENT_LINK,
    transaction_id: { ...UUID, description: 'The payment of the receipt.' },
    email_address: { ...TEXT, description: 'The address that the buyer entered, not verified.' },
  }),
  'payment-method': record('payment-method', PAYMENT_METHOD),
  'recurring.token.created': TOKEN,
  'recurring.token.disabled': TOKEN,
  'payment-service': record('payment-service', {
    opened_at: MOMENT,
    calls: { ...COUNT, description: 'Requests of one process in the last minute before the opening.' },
    failures: { ...COUNT, description: 'The technical failures among `calls`.' },
    failed_trials: { ...COUNT, description: 'Trials that failed since the opening.' },
  }),
  payout: record('payout', {
    payment_service_id: UUID,
    payment_service_payout_id: TEXT_OR_NULL,
    amount: { ...SIGNED_UNITS, description: 'To the bank account, in minor units of `currency`.' },
    fee: SIGNED_UNITS,
    currency: CURRENCY,
    settled_on: DAY,
    created_at: MOMENT,
  }),
  refund: record('refund', { ...OPERATION, reason: TEXT_OR_NULL, splits: SPLITS_OF_OPERATION }),
  'refund-approval': record('refund-approval', {
    transaction_id: UUID,
    amount: MINOR_UNITS,
    currency: CURRENCY,
    status: choice('pending', 'approved', 'rejected', 'withdrawn', 'expired', 'failed'),
    reason: TEXT_OR_NULL,
    external_identifier: TEXT_OR_NULL,
    requested_by: TEXT,
    decided_by: TEXT_OR_NULL,
    decision_reason: TEXT_OR_NULL,
    error_code: {
      ...TEXT_OR_NULL,
      description: 'The reason of a failure, a value of `ErrorCode` in lower case.',
    },
    created_at: MOMENT,
    expires_at: MOMENT,
    decided_at: MOMENT_OR_NULL,
  }),
  'retry-plan': record('retry-plan', { ...RETRY_PLAN, ...MOMENTS }),
  'routing-activation': record('routing-activation', ACTIVATION),
  'routing-rule-set': record('routing-rule-set', { name: TEXT, latest_version: COUNT, ...MOMENTS }),
  'routing-value-set': record('routing-value-set', { name: TEXT, ...MOMENTS }),
  settlement: record('settlement', {
    payment_service_id: UUID,
    payment_service_settlement_id: TEXT,
    kind: choice(...SETTLEMENT_KINDS),
    payment_service_kind: TEXT_OR_NULL,
    report_line: COUNT_OR_NULL,
    transaction_id: UUID_OR_NULL,
    operation_id: UUID_OR_NULL,
    gross: SIGNED_UNITS,
    fee: SIGNED_UNITS,
    net: SIGNED_UNITS,
    currency: CURRENCY,
    settled_on: DAY,
    difference: choiceOrNull(
      'no_such_operation',
      'no_such_dispute',
      'operation_not_succeeded',
      'other_amount',
      'other_currency',
      'already_settled',
      'adjustment',
      'unknown_kind',
      'unreadable',
    ),
    explanation: TEXT_OR_NULL,
    ...MOMENTS,
  }),
  'shipping-details': record('shipping-details', { buyer_id: UUID, ...MOMENTS }),
  'three-ds-scenario': record('three-ds-scenario', MOMENTS),
  transaction: record('transaction', {
    status: choice(
      'processing',
      'buyer_approval_pending',
      'authorization_succeeded',
      'authorization_declined',
      'authorization_failed',
      'authorization_void_pending',
      'authorization_voided',
      'capture_pending',
      'capture_succeeded',
    ),
    payment_method: complete({ method: TEXT }),
    bank: BANK,
    external_identifier: TEXT_OR_NULL,
    amount: MINOR_UNITS,
    currency: CURRENCY,
    authorized_amount: MINOR_UNITS,
    captured_amount: MINOR_UNITS,
    refunded_amount: MINOR_UNITS,
    splits: SPLITS_OF_PAYMENT,
    payment_service_transaction_id: TEXT_OR_NULL,
    payment_link_id: UUID_OR_NULL,
    anti_fraud_decision: choiceOrNull(...CHECKED),
    pending_review: FLAG,
    has_gift_card_redemptions: FLAG,
    error_code: OPERATION.error_code,
    metadata: METADATA,
    origin: ORIGIN,
    ...MOMENTS,
  }),
  'webhook-endpoint': record('webhook-endpoint', {
    url: TEXT,
    state: choice('active', 'failing', 'paused', 'disabled'),
    state_reason: TEXT_OR_NULL,
    failing_since: MOMENT_OR_NULL,
  }),
} satisfies Readonly<Record<TargetKind, JsonSchema>>;

/** The short form of a kind of record in payloads. */
export type Target<Kind extends TargetKind> = ValueOf<(typeof TARGET_SCHEMAS)[Kind]>;

/** The names of the events about a kind of record. */
export type NameOf<Kind extends TargetKind> = Exclude<
  Extract<EventName, Kind | `${Kind}.${string}`>,
  Exclude<OwnForm, Kind>
>;
