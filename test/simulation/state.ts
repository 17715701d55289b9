import { EMPTY_REPORTS, MISBINNED, MISBOUGHT, MISCOUNTED, MISREPORTED } from './misreported.ts';
import type { SplitShare } from '../../src/modules/transactions/model/splits.ts';
import type { AnyVerb } from './aims.ts';
import { MERCHANTS } from './harness.ts';
import type { Lane } from './lane.ts';
import { COUNT_UNCOUNTED, COUNT_WAITING } from '../support/waiting-events.ts';

/** A row of the database. */
export type Row = Readonly<Record<string, unknown>>;

/** A transaction's amounts and status, by their columns. */
export type TransactionRow = Row & {
  readonly merchant_account_id: string;
  readonly id: string;
  readonly status: string;
  readonly intent: 'authorize' | 'capture';
  readonly intent_outcome: string;
  readonly currency: string;
  readonly payment_service_id: string;
  readonly authorized_amount: number;
  readonly captured_amount: number;
  readonly refunded_amount: number;
  readonly capture_pending_amount: number;
  readonly refund_pending_amount: number;
  readonly increased_amount: number;
  readonly increase_pending_amount: number;
  readonly reauthorize_pending: boolean;
  readonly reauthorized_at: string | null;
  readonly void_pending: boolean;
  readonly capture_closed: boolean;
  readonly captures_accepted: number;
  readonly over_capture_allowance: number;
  readonly amount: number;
  readonly method: string;
  /** The part of the amount that gift cards pay. */
  readonly gift_card_amount: number;
  /** Names the scenario of the buyer's authentication. */
  readonly external_identifier: string | null;
  readonly error_code: string | null;
  /** Null without an anti-fraud check. */
  readonly anti_fraud_decision: string | null;
  readonly expired_at: string | null;
  readonly capture_reversed_amount: number;
  readonly refund_reversed_amount: number;
  readonly dispute_lost_amount: number;
  readonly fraud_review: 'pending' | 'accepted' | 'rejected' | 'ended' | null;
  readonly splits: readonly SplitShare[] | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The effect of circuits, as ids of services. */
  readonly circuits: { readonly setBehind: readonly string[]; readonly tried: readonly string[] } | null;
  /** The decision of the merchant's own rules. */
  readonly routing: {
    readonly versionId: string;
    readonly rule: number | null;
    readonly draw: { readonly number: number; readonly share: number } | null;
    readonly retries?: readonly {
      readonly rule: number | null;
      readonly draw: { readonly number: number; readonly share: number } | null;
    }[];
  } | null;
};

export type OperationRow = Row & {
  readonly merchant_account_id: string;
  readonly id: string;
  readonly transaction_id: string;
  readonly payment_service_id: string;
  readonly kind: AnyVerb | 'release';
  /** `provider`: nobody here requested the operation. */
  readonly origin: 'requested' | 'provider';
  /** The refused authorisation whose late approval a release ends. */
  readonly releases_id: string | null;
  readonly status: 'pending' | 'succeeded' | 'declined' | 'failed';
  readonly amount: number;
  readonly final: boolean;
  /** The reason for the service of an authorisation. */
  readonly choice: string | null;
  readonly error_code: string | null;
  readonly accepted_at: string | null;
  readonly unknown_at: string | null;
  readonly next_attempt_at: string | null;
  readonly idempotency_key: string | null;
  /** The key at the provider. Null: the id is the key. */
  readonly provider_key: string | null;
  readonly provider_reference: string | null;
  readonly sealed_card: string | null;
  readonly sealed_returned: string | null;
  /** The redemption of the gift card's money. Null for the payment method's money. */
  readonly redemption_id: string | null;
  /** True if the provider was not called, or not before the operation ended. */
  readonly unsent: boolean;
  readonly reversed_amount: number;
  readonly reversals: readonly ReversalRow[] | null;
  /** The captures that a refund of the payment method is of. */
  readonly refund_captures: readonly AllocationRow[] | null;
  /** Identifies the parts of one request. */
  readonly batch_id: string | null;
};

/** A capture with the part of a refund. */
export type AllocationRow = {
  readonly operationId: string;
  readonly key: string;
  readonly reference: string;
  readonly amount: number;
};

/** A part that the provider took back. */
export type ReversalRow = { readonly key: string; readonly amount: number };

export type RedemptionRow = {
  readonly id: string;
  readonly transaction_id: string;
  readonly reversal_id: string;
  readonly payment_service_id: string;
  readonly amount: number;
  readonly status: string;
  readonly refund_pending_amount: number;
  readonly refunded_amount: number;
  readonly sealed_card: string | null;
};

/** A buyer's approval at a page. */
export type ApprovalRow = {
  readonly operation_id: string;
  readonly kind: 'redirect' | 'challenge' | 'session' | 'voucher';
  readonly state: 'pending' | 'approved' | 'refused' | 'expired' | 'returned';
  /** Null unless the buyer goes to the provider's own page. */
  readonly return_digest: string | null;
  readonly expires_at: string;
  readonly decided_at: string | null;
};

/** The anti-fraud check of a transaction, and its decision. */
export type CheckRow = {
  readonly transaction_id: string;
  readonly decision: string;
  readonly cause: string | null;
};

/** A notice of a review. */
export type NoticeRow = {
  readonly check_key: string;
  readonly event_key: string;
  readonly state: 'parked' | 'applied' | 'ignored' | 'expired';
  readonly notice: { readonly decision: 'accept' | 'reject'; readonly comment: string };
};

/** A difference between a payment and the books of its provider. */
export type DifferenceRow = {
  readonly transaction_id: string;
  readonly operation_id: string | null;
  readonly finding: string;
  readonly subject: string;
  readonly state: 'open' | 'resolved' | 'adopted' | 'dismissed';
};

/** A webhook of a payment provider that found its payment. */
export type WebhookRow = { readonly event_key: string; readonly state: string };

/** A dispute of a payment. */
export type DisputeRow = {
  readonly id: string;
  readonly transaction_id: string;
  readonly provider_reference: string;
  readonly stage: string;
  readonly status: string;
  readonly amount: number;
  readonly lost_amount: number;
};

/** The merchant's response to a dispute. */
export type ResponseRow = {
  readonly id: string;
  /** The key at the provider. Null: the id is the key. */
  readonly provider_key: string | null;
  readonly dispute_id: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
};

export type FeedRow = {
  readonly merchant: string;
  readonly sequence: number;
  readonly position: number;
  readonly id: string;
  readonly name: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly payload: string;
};

export type KeyRow = {
  readonly merchant: string;
  readonly operation: string;
  readonly key: string;
  readonly resource_id: string;
  /** The copy of an answer that no later outcome changes. Null for the answer of an operation. */
  readonly result: string | null;
  readonly answered: boolean;
};

export type HistoryRow = {
  readonly transaction_id: string;
  readonly name: string;
  readonly operation_id: string | null;
  /** The webhook that ended the review, or that concerned it. */
  readonly webhook_event_id: string | null;
  /** The cause of an unknown outcome. */
  readonly cause: string | null;
};

/** The sums of a merchant's dimension in one currency, and what the ledger says. */
export type MisreportedRow = {
  readonly merchant: string;
  readonly dimension: string;
  readonly grain: string;
  readonly currency: string;
  readonly kept: string;
  readonly ledger: string;
};

/** The state of the database after a history. */
export type State = {
  readonly transactions: readonly TransactionRow[];
  readonly operations: readonly OperationRow[];
  readonly redemptions: readonly RedemptionRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly checks: readonly CheckRow[];
  readonly notices: readonly NoticeRow[];
  readonly webhooks: readonly WebhookRow[];
  readonly differences: readonly DifferenceRow[];
  readonly disputes: readonly DisputeRow[];
  readonly responses: readonly ResponseRow[];
  readonly ledger: readonly {
    readonly transaction_id: string;
    readonly operation_id: string;
    readonly kind: string;
    readonly amount: number;
  }[];
  readonly history: readonly HistoryRow[];
  /** New entries since the history before. */
  readonly feed: readonly FeedRow[];
  readonly keys: readonly KeyRow[];
  /** Events since the history before, and the number of all events that wait for the relay. */
  readonly events: number;
  readonly waiting: number;
  /** Sums of the reports that differ from the ledger, and the number of facts without a sum. */
  readonly misreported: readonly MisreportedRow[];
  readonly miscounted: readonly MisreportedRow[];
  readonly misbinned: readonly (MisreportedRow & { readonly bins: string })[];
  readonly misbought: readonly (Omit<MisreportedRow, 'dimension'> & { readonly buyer: string })[];
  readonly uncounted: number;
};

/** The ends of the judged parts of the merchants' feeds and of the log. */
export type Heads = { readonly sequences: Readonly<Record<string, number>>; readonly position: number };

export const NO_HEADS: Heads = { sequences: {}, position: 0 };

/** Returns the ends after the read entries. */
export function headsAfter({ sequences, position }: Heads, { feed }: State): Heads {
  const after: Record<string, number> = { ...sequences };
  for (const row of feed) after[row.merchant] = Math.max(after[row.merchant] ?? 0, row.sequence);
  return { sequences: after, position: Math.max(position, ...feed.map((row) => row.position)) };
}

const ACCOUNTS = MERCHANTS.map(({ id }) => id);

/** The reports begin anew after so many histories of a lane. Sums of several histories show batches that replace each other. */
const COUNTED_HISTORIES = 8;

/** Reads everything about the ids and keys of a history, in one statement. Empties the reports from time to time. */
export async function readState(
  { judge, heads, counted }: Lane,
  uuids: readonly string[],
  keys: readonly string[],
): Promise<State> {
  counted.push(uuids);
  const sequences = ACCOUNTS.map((id) => heads.sequences[id] ?? 0);
  const [row] = await judge.query<{ state: State }>({
    name: 'simulation_state',
    text: STATE,
    values: [ACCOUNTS, sequences, heads.position, keys, uuids, counted.flat()],
  });
  if (!row) throw new Error('The database returned no row');
  if (counted.length >= COUNTED_HISTORIES) {
    await judge.query({ name: 'simulation_empty_reports', text: EMPTY_REPORTS, values: [] });
    counted.length = 0;
  }
  return row.state;
}

const rows = (select: string): string =>
  `(SELECT coalesce(json_agg(row_to_json(r)), '[]') FROM (${select}) r)`;

const STATE = `
  WITH mine AS MATERIALIZED (
    SELECT t.* FROM transaction t WHERE t.merchant_account_id = ANY ($1) AND t.id = ANY ($5::uuid[])),
  counted AS MATERIALIZED (
    SELECT t.* FROM transaction t WHERE t.merchant_account_id = ANY ($1) AND t.id = ANY ($6::uuid[])),
  operations AS MATERIALIZED (
    SELECT o.* FROM mine t JOIN operation o
      ON o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id)
  SELECT json_build_object(
    'transactions', ${rows('SELECT * FROM mine ORDER BY id')},
    'operations', ${rows('SELECT * FROM operations ORDER BY id')},
    'redemptions', ${rows(`SELECT r.* FROM mine t JOIN redemption r
      ON r.merchant_account_id = t.merchant_account_id AND r.transaction_id = t.id ORDER BY r.transaction_id, r.ordinal`)},
    'approvals', ${rows(`SELECT a.* FROM operations o JOIN approval a
      ON a.merchant_account_id = o.merchant_account_id AND a.operation_id = o.id ORDER BY a.operation_id`)},
    'checks', ${rows(`SELECT c.* FROM mine t JOIN anti_fraud_check c
      ON c.merchant_account_id = t.merchant_account_id AND c.transaction_id = t.id`)},
    'notices', ${rows(`SELECT r.* FROM mine t JOIN inbound_review r
      ON r.merchant_account_id = t.merchant_account_id AND r.check_key = t.id ORDER BY r.id`)},
    'webhooks', ${rows(`SELECT w.event_key, w.state FROM mine t JOIN inbound_webhook w
      ON w.merchant_account_id = t.merchant_account_id AND w.transaction_id = t.id`)},
    'differences', ${rows(`SELECT d.transaction_id, d.operation_id, d.finding, d.subject, d.state FROM mine t JOIN difference d
      ON d.merchant_account_id = t.merchant_account_id AND d.transaction_id = t.id ORDER BY d.id`)},
    'disputes', ${rows(`SELECT d.* FROM mine t JOIN dispute d
      ON d.merchant_account_id = t.merchant_account_id AND d.transaction_id = t.id ORDER BY d.id`)},
    'responses', ${rows(`SELECT r.* FROM mine t JOIN dispute d
      ON d.merchant_account_id = t.merchant_account_id AND d.transaction_id = t.id JOIN dispute_response r
      ON r.merchant_account_id = d.merchant_account_id AND r.dispute_id = d.id ORDER BY r.id`)},
    'ledger', ${rows(`SELECT l.transaction_id, l.operation_id, l.kind, l.amount FROM mine t
      JOIN ledger_entry l ON l.merchant_account_id = t.merchant_account_id AND l.transaction_id = t.id`)},
    'history', ${rows(`SELECT h.transaction_id, h.name, h.context ->> 'operation_id' AS operation_id,
        h.context ->> 'webhook_event_id' AS webhook_event_id, h.context ->> 'cause' AS cause FROM mine t
      JOIN history_entry h ON h.merchant_account_id = t.merchant_account_id AND h.transaction_id = t.id`)},
    'feed', ${rows(`SELECT f.merchant_account_id AS merchant, f.sequence, e.position, e.id, e.name, e.target_type,
        e.target_id, e.payload
      FROM unnest($1::text[], $2::bigint[]) AS head (merchant, sequence)
      JOIN feed_entry f ON f.merchant_account_id = head.merchant AND f.sequence > head.sequence
      JOIN event e USING (position) ORDER BY f.merchant_account_id, f.sequence`)},
    'keys', ${rows(`SELECT k.merchant_account_id AS merchant, k.operation, k.key, k.resource_id, k.result,
        k.result IS NOT NULL OR o.answer IS NOT NULL AS answered
      FROM idempotency_key k LEFT JOIN operation o ON o.merchant_account_id = k.merchant_account_id AND o.id = k.resource_id::uuid
      WHERE k.merchant_account_id = ANY ($1) AND (k.operation LIKE '%Transaction' OR k.operation IN ('resolveReview', 'increaseAuthorization')) AND k.key = ANY ($4)`)},
    'events', (SELECT count(*) FROM event WHERE position > $3),
    'waiting', (${COUNT_WAITING}),
    'misreported', ${rows(MISREPORTED)},
    'miscounted', ${rows(MISCOUNTED)},
    'misbinned', ${rows(MISBINNED)},
    'misbought', ${rows(MISBOUGHT)},
    'uncounted', (SELECT count(*) FROM report_pending) + (${COUNT_UNCOUNTED})) AS state`;
