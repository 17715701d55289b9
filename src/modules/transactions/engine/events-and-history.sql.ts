import { eventExpressions } from '../../event-log/index.ts';
import type { AcceptedOutcome, FinalOutcome, OperationKind } from '../model/operation.ts';
import { saleOf } from '../model/fragments.sql.ts';

// What settling tells: events to everybody (facts 5.2), and the transaction's own history (facts 1.9). In these
// expressions `s` is the operation as it is written, `c` the transaction, `p` the payment service.

export type ToldOutcome = (FinalOutcome | AcceptedOutcome)['kind'];

type Target = 'transaction' | 'capture' | 'refund';

/** An event: what it is about, and its name in SQL, with the condition under which it is told. */
type Told = { readonly target: Target; readonly name: string; readonly when?: string };

const about = (target: Target, ...names: readonly string[]): readonly Told[] =>
  names.map((name) => ({ target, name: `'${name}'` }));

const CAPTURE_REFUSED = about('transaction', 'transaction.capture-failed');

/** Per kind and outcome: the events, oldest first. */
const EVENTS: Readonly<Record<OperationKind, Readonly<Record<ToldOutcome, readonly Told[]>>>> = {
  authorize: {
    accepted: [
      {
        target: 'transaction',
        name: `CASE c.status WHEN 'capture_pending' THEN 'transaction.capture-pending' ELSE 'transaction.authentication-pending' END`,
        when: `c.status IN ('capture_pending', 'buyer_approval_pending')`,
      },
    ],
    succeeded: [
      {
        target: 'transaction',
        name: `CASE WHEN ${saleOf('c')} THEN 'transaction.captured' ELSE 'transaction.authorized' END`,
      },
    ],
    declined: about('transaction', 'transaction.declined'),
    failed: about('transaction', 'transaction.failed'),
  },
  capture: {
    accepted: [
      ...about('capture', 'capture.pending'),
      // Of several captures, one that is taken on takes nothing back of what is captured.
      {
        target: 'transaction',
        name: `'transaction.capture-pending'`,
        when: `c.status = 'capture_pending'`,
      },
    ],
    succeeded: [...about('capture', 'capture.succeeded'), ...about('transaction', 'transaction.captured')],
    declined: [...about('capture', 'capture.declined'), ...CAPTURE_REFUSED],
    failed: [...about('capture', 'capture.failed'), ...CAPTURE_REFUSED],
  },
  refund: {
    accepted: about('refund', 'refund.pending'),
    succeeded: about('refund', 'refund.succeeded'),
    declined: about('refund', 'refund.declined'),
    failed: about('refund', 'refund.failed'),
  },
  void: {
    accepted: about('transaction', 'transaction.void-pending'),
    succeeded: about('transaction', 'transaction.voided'),
    declined: about('transaction', 'transaction.void-declined'),
    failed: about('transaction', 'transaction.void-failed'),
  },
  // A payment that was cancelled has failed, or is released when it was authorised first. A cancel that was refused, or that
  // found the payment over, has changed nothing.
  cancel: {
    accepted: [],
    succeeded: [
      {
        target: 'transaction',
        name: `CASE c.status WHEN 'authorization_voided' THEN 'transaction.voided' ELSE 'transaction.failed' END`,
        when: 'coalesce(c.canceled_at, c.voided_at) IS NOT NULL',
      },
    ],
    declined: [],
    failed: [],
  },
  // Told by the stored gift card's own events, and in the history.
  redeem: { accepted: [], succeeded: [], declined: [], failed: [] },
  unredeem: { accepted: [], succeeded: [], declined: [], failed: [] },
};

/** The most events that one outcome has: so many ids settle must be given. */
export const EVENTS_MAX = 2;

const moment = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Short forms of the records for events (facts 5.1). */
const TARGETS: Readonly<Record<Target, string>> = {
  transaction: `json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
    'payment_method', json_build_object('method', c.method), 'external_identifier', c.external_identifier,
    'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
    'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
    'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
    'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
    'has_gift_card_redemptions', c.gift_card_amount > 0,
    'error_code', c.error_code,
    'metadata', c.metadata, 'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')})`,
  capture: `json_build_object('type', 'capture', 'id', s.id, 'status', s.status, 'transaction_id', c.id,
    'amount', s.amount, 'currency', s.currency, 'final', s.final, 'external_identifier', s.external_identifier,
    'error_code', s.error_code, 'created_at', ${moment('s.created_at')})`,
  refund: `json_build_object('type', 'refund', 'id', s.id, 'status', s.status, 'transaction_id', c.id,
    'amount', s.amount, 'currency', s.currency, 'external_identifier', s.external_identifier, 'reason', s.reason,
    'error_code', s.error_code, 'created_at', ${moment('s.created_at')})`,
};

/**
 * Expressions that tell an outcome: the events, each with its mark for the relay, and one row of history. `from` is a list
 * of tables that gives s, c and p. Parameters: account, now, environment, eventA, eventB, historyId.
 */
export function tellExpressions(kind: OperationKind, outcome: ToldOutcome, from: string): string {
  const rows = EVENTS[kind][outcome].map((told, ordinal) => eventRow(told, ordinal, from));
  const noted = `noted AS (${historyRow(historyName(kind, outcome), from)})`;
  if (rows.length === 0) return noted;
  return `told AS (SELECT * FROM (${rows.join(' UNION ALL ')}) AS rows ORDER BY ordinal),
    ${eventExpressions('told')}, ${noted}`;
}

/**
 * Expressions that tell what has come of authenticating a buyer. `from` is a table that gives c. Parameters: account, now,
 * environment, eventA.
 */
export function tellAuthentication(moment: keyof typeof AUTHENTICATION, from: string): string {
  return `told AS (${eventRow(AUTHENTICATION[moment], 0, from)}), ${eventExpressions('told')}`;
}

/**
 * Expressions that tell what has come of judging a payment. `from` is a table that gives c. Parameters: account, now,
 * environment, eventA.
 */
export function tellJudgement(moment: keyof typeof JUDGEMENT, from: string): string {
  return `told AS (${eventRow(JUDGEMENT[moment], 0, from)}), ${eventExpressions('told')}`;
}

const JUDGEMENT = {
  decided: { target: 'transaction', name: `'transaction.anti-fraud-decided'` },
  reviewed: {
    target: 'transaction',
    name: `CASE c.fraud_review WHEN 'accepted' THEN 'transaction.review-accepted' ELSE 'transaction.review-rejected' END`,
  },
} as const satisfies Record<string, Told>;

const IS_AUTHENTICATED = `c.three_d_secure ->> 'status' = 'complete'`;

const AUTHENTICATION = {
  begun: {
    target: 'transaction',
    name: `CASE c.status WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending' ELSE 'transaction.authenticated' END`,
    when: `(c.status = 'buyer_approval_pending' OR ${IS_AUTHENTICATED})`,
  },
  concluded: { target: 'transaction', name: `'transaction.authenticated'`, when: IS_AUTHENTICATED },
} as const satisfies Record<string, Told>;

/** Parameters of the events that are told; a statement is given no more than it names. */
export const eventIdsOf = (eventIds: readonly [string, string]) => ({
  eventA: eventIds[0],
  eventB: eventIds[1],
});

function eventRow({ target, name, when }: Told, ordinal: number, from: string): string {
  const id = `@event${ordinal === 0 ? 'A' : 'B'}::uuid`;
  return `
  SELECT ${ordinal} AS ordinal, c.merchant_account_id, ${id} AS event_id, ${name} AS event_name,
    '${target}' AS target_type, ${target === 'transaction' ? 'c.id' : 's.id'}::text AS target_id, @now::timestamptz AS created_at,
    json_build_object('type', 'event', 'id', ${id}, 'name', ${name}, 'created_at', ${moment('@now::timestamptz')},
      'merchant_account_id', c.merchant_account_id, 'environment', @environment::text, 'target', ${TARGETS[target]})::text AS payload
  FROM ${from}${when ? ` WHERE ${when}` : ''}`;
}

/** An insert into the history of one transaction, with what the provider said as its context. */
export const historyRow = (name: string, from: string): string => `
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
  SELECT c.merchant_account_id, @historyId::uuid, c.id, ${name}, ${HISTORY_CONTEXT}, @now FROM ${from}`;

const OF_GIFT_CARD = 'CASE WHEN s.redemption_id IS NOT NULL';

/** `payment_service_reference` is the provider's id of the operation itself. What is null is left out. */
const HISTORY_CONTEXT = `jsonb_strip_nulls(jsonb_build_object('operation_id', s.id, 'amount', s.amount, 'currency', s.currency,
  'payment_service_id', p.id, 'payment_service_display_name', p.display_name,
  'payment_service_definition_id', p.definition_id, 'payment_service_reference', s.provider_reference,
  'redemption_id', s.redemption_id, 'gift_card_service_id', ${OF_GIFT_CARD} THEN p.id END,
  'gift_card_service_display_name', ${OF_GIFT_CARD} THEN p.display_name END,
  'gift_card_service_definition_id', ${OF_GIFT_CARD} THEN p.definition_id END,
  'reason', ${OF_GIFT_CARD} THEN s.error_code END,
  'payment_service_transaction_id',
    CASE s.kind WHEN 'authorize' THEN s.provider_reference ELSE c.payment_service_transaction_id END,
  'status', s.status, 'code', s.error_code, 'instrument_type', c.instrument_type,
  'payment_method_scheme', c.card_scheme, 'raw_response_code', s.raw_response_code,
  'raw_response_description', s.raw_response_description,
  'auth_response_code', CASE s.kind WHEN 'authorize' THEN c.auth_response_code END,
  'avs_response_code', CASE s.kind WHEN 'authorize' THEN c.avs_response_code END,
  'cvv_response_code', CASE s.kind WHEN 'authorize' THEN c.cvv_response_code END,
  'voided_at', ${moment("CASE s.kind WHEN 'void' THEN c.voided_at END")}))`;

/** In SQL: the names of facts 1.9 where it has one; the same pattern where it has none. */
function historyName(kind: OperationKind, outcome: ToldOutcome): string {
  const prefix = 'payment-connector-response-transaction';
  const giftCard = outcome === 'succeeded' || outcome === 'accepted' ? outcome : 'failed';
  if (kind === 'redeem') return `'gift-card-redemption-${giftCard}'`;
  if (kind === 'unredeem') return `'gift-card-reversal-${giftCard}'`;
  if (kind === 'refund')
    return `CASE WHEN s.redemption_id IS NULL THEN '${prefix}-refund-${pending(outcome)}' ELSE 'gift-card-refund-${giftCard}' END`;
  if (outcome === 'accepted') return `'${prefix}-${kind === 'authorize' ? 'authorization' : kind}-pending'`;
  if (kind !== 'authorize') return `'${prefix}-${kind}-${outcome}'`;
  return `'${outcome === 'declined' ? `${prefix}-declined` : `${prefix}-authorization-${outcome}`}'`;
}

const pending = (outcome: ToldOutcome): string => (outcome === 'accepted' ? 'pending' : outcome);
