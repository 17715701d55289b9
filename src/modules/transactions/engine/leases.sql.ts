import type { Db } from '../../../platform/database/db.ts';
import { ACTOR } from '../../../platform/database/acting.ts';
import { byKey, prepare, rowOf } from '../../../platform/database/statement.ts';
import { CONNECTION_COLUMNS } from '../../payment-services/index.ts';
import type { Operation, OperationKind, UnknownWhy } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { AUTHORIZATION_KEY, toClaim, type ClaimRow } from './claim.sql.ts';
import type { TakenOverClaim } from './claim.ts';
import { STILL_PENDING } from '../model/fragments.sql.ts';
import { toOperation, type JsonRow } from '../model/rows.sql.ts';

// A process that claims an existing operation did not make it. So its first caller is gone, or its outcome is unknown.
// The outcome becomes unknown now, except when the provider is still deciding or has never received the operation. The
// outcome of an accepted operation stays as it is: known, or unknown since the end of its window.
const TAKEN = `lease_until = @leaseUntil, next_attempt_at = @leaseUntil, attempts = o.attempts + 1, updated_at = @now,
  unknown_at = CASE WHEN o.accepted_at IS NOT NULL THEN o.unknown_at WHEN NOT o.unsent THEN coalesce(o.unknown_at, @now) END,
  unknown_cause = CASE WHEN o.accepted_at IS NOT NULL THEN o.unknown_cause
    WHEN NOT o.unsent THEN coalesce(o.unknown_cause, 'interrupted') END`;

/** Condition: `a` is the approval of the operation `o`. */
export const APPROVAL_OF = `${byKey('a.merchant_account_id', 'o.merchant_account_id')} AND ${byKey('a.operation_id', 'o.id')}`;

export type TakenOverRow = ClaimRow & Pick<TakenOverClaim, 'approval' | 'resumes'>;

/** Selects the claims of the operations in `taken`. */
export const CLAIMED = `
  SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction, t.xmin::text AS version, ${CONNECTION_COLUMNS} AS connection, ${AUTHORIZATION_KEY},
    a.state AS approval, coalesce(a.kind = 'session' AND a.state = 'approved', false) OR o.sealed_returned IS NOT NULL AS resumes
  FROM taken o
  JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
  JOIN payment_service s ON ${rowOf('s', 'o', 'payment_service_id')}
  LEFT JOIN approval a ON ${APPROVAL_OF}`;

/** The greatest difference between the clocks of two processes. */
const SKEW = "interval '1 minute'";

const claimDueStatement = prepare(
  'claim_due_operations',
  // Goes through the index service by service, so that a silent provider's queue is never read as a whole. The
  // condition on the status fits no partial index. Postgres then reads the claimed rows again by their ids.
  `
  WITH RECURSIVE service (id) AS (
    (SELECT payment_service_id FROM operation WHERE status = 'pending' ORDER BY payment_service_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.payment_service_id FROM operation o WHERE o.status = 'pending' AND o.payment_service_id > s.id
      ORDER BY o.payment_service_id LIMIT 1)
    FROM service s WHERE s.id IS NOT NULL),
  asked AS (
    SELECT s.id, coalesce(g.most, @perService) AS most, l.looks
    FROM service s LEFT JOIN unnest(@services::uuid[], @limits::int[]) AS g (id, most) ON g.id = s.id
    CROSS JOIN LATERAL (
      SELECT count(*) AS looks FROM operation o
      WHERE o.status = 'pending' AND o.payment_service_id = s.id AND o.next_attempt_at > @now
        AND o.next_attempt_at <= @leaseUntil::timestamptz + ${SKEW} AND o.lease_until > @now AND o.attempts > 1) l),
  waiting AS (
    SELECT w.*, a.looks FROM asked a CROSS JOIN LATERAL (
      SELECT o.merchant_account_id, o.id, o.payment_service_id, o.next_attempt_at FROM operation o
      WHERE o.status = 'pending' AND o.payment_service_id = a.id AND o.next_attempt_at <= @now
      ORDER BY o.next_attempt_at LIMIT greatest(a.most - a.looks, 0)) w),
  shared AS (
    SELECT w.*, w.looks + row_number() OVER (PARTITION BY w.payment_service_id ORDER BY w.next_attempt_at, w.id) AS turn
    FROM waiting w),
  chosen AS (
    SELECT merchant_account_id, id FROM shared ORDER BY turn, next_attempt_at LIMIT @limit),
  due AS (
    SELECT d.merchant_account_id, d.id FROM chosen c CROSS JOIN LATERAL (
      SELECT o.merchant_account_id, o.id FROM operation o
      WHERE o.merchant_account_id = c.merchant_account_id AND o.id = c.id AND ${STILL_PENDING}
        AND o.next_attempt_at <= @now LIMIT 1 FOR UPDATE OF o SKIP LOCKED) d),
  taken AS (
    UPDATE operation o SET ${TAKEN} FROM due d
    WHERE ${rowOf('o', 'd')} RETURNING o.*)
  ${CLAIMED}`,
);

export type ClaimLimits = {
  /** The greatest number of operations, over all payment services. */
  readonly limit: number;
  /**
   * The greatest number of requests under way at each payment service, over all merchant accounts. Services in `grown`
   * get more.
   */
  readonly perService: number;
  readonly grown: ReadonlyMap<string, number>;
};

/**
 * Claims due pending operations of every merchant account, oldest first. Each payment service gets at most its
 * concurrency, so a silent provider delays no other. Services with the fewest requests under way come first.
 * The lease keeps other processes away. It only saves requests: the safety is in settle and markSent.
 */
export async function claimDue(
  db: Db,
  now: Date,
  leaseUntil: Date,
  { limit, perService, grown }: ClaimLimits,
): Promise<readonly TakenOverClaim[]> {
  const [services, limits] = [[...grown.keys()], [...grown.values()]];
  const rows = await db.query<TakenOverRow>(
    claimDueStatement({ now, leaseUntil, limit, perService, services, limits }),
  );
  return rows.map(toClaim);
}

const claimPendingStatement = prepare(
  'claim_pending_operations',
  `
  WITH due AS (
    SELECT o.merchant_account_id, o.id FROM operation o
    WHERE o.merchant_account_id = @account AND o.transaction_id = @transaction AND o.status = 'pending'
      AND (o.lease_until IS NULL OR o.lease_until <= @now) AND NOT (o.unsent AND EXISTS (
        SELECT FROM approval a WHERE ${APPROVAL_OF}
          AND a.state = 'pending'))
    FOR UPDATE OF o SKIP LOCKED),
  taken AS (
    UPDATE operation o SET ${TAKEN} FROM due d
    WHERE ${rowOf('o', 'd')} RETURNING o.*)
  ${CLAIMED}`,
);

/**
 * Claims the pending operations of one transaction that no process has a lease on, due or not. An authorisation that
 * waits for a challenge stays.
 */
export async function claimPendingOf(
  db: Db,
  merchantAccountId: string,
  transactionId: string,
  { now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date },
): Promise<readonly TakenOverClaim[]> {
  const rows = await db.query<TakenOverRow>(
    claimPendingStatement({ account: merchantAccountId, transaction: transactionId, now, leaseUntil }),
  );
  return rows.map(toClaim);
}

/**
 * The reason of a release, and the next time at which reconciliation claims the operation. Null: reconciliation leaves
 * it alone.
 */
export type Release = {
  readonly now: Date;
  readonly nextAttemptAt: Date | null;
  /** Null when the provider said that it is still deciding. */
  readonly unknownCause: UnknownWhy | null;
  readonly historyId: string;
};

/** The cause of the unknown outcome. An accepted operation counts as unknown only after its window. */
const WHY = `CASE WHEN o.accepted_at IS NULL THEN @cause::text WHEN o.decision_until <= @now THEN 'undecided' END`;

const releaseStatement = prepare(
  'release_operation',
  `
  WITH before AS (
    SELECT o.unknown_at, ${WHY} AS why,
      CASE WHEN o.next_attempt_at < o.lease_until THEN o.next_attempt_at END AS due_at
    FROM operation o WHERE o.merchant_account_id = @account AND o.id = @operation
      AND ${STILL_PENDING} AND o.attempts = @attempts FOR UPDATE),
  released AS (
    UPDATE operation o SET lease_until = NULL, updated_at = @now,
      next_attempt_at = coalesce(b.due_at, @nextAttemptAt::timestamptz),
      unknown_at = CASE WHEN b.why IS NOT NULL THEN coalesce(o.unknown_at, @now) END, unknown_cause = b.why
    FROM before b WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING} RETURNING o.*)
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT r.merchant_account_id, @historyId::uuid, r.transaction_id, 'payment-connector-outcome-unknown',
    jsonb_build_object('operation_id', r.id, 'kind', r.kind, 'payment_service_id', r.payment_service_id, 'cause', b.why),
    ${ACTOR}::jsonb, @now
  FROM released r, before b WHERE b.why IS NOT NULL AND b.unknown_at IS NULL`,
);

/**
 * Releases the lease of a pending operation. The reservation stays. History records the first unknown outcome. An
 * accepted operation is not unknown before the end of its window. Its previous caller may have heard of the acceptance
 * only now.
 * An operation that was made due meanwhile stays due, because the buyer has decided since. After another process has
 * claimed the operation, nothing changes.
 */
export async function releaseOperation(
  db: Db,
  { merchantAccountId, id, attempts }: Operation,
  { now, nextAttemptAt, unknownCause, historyId }: Release,
): Promise<void> {
  await db.query(
    releaseStatement({
      account: merchantAccountId,
      operation: id,
      attempts,
      now,
      nextAttemptAt,
      cause: unknownCause,
      historyId,
    }),
  );
}

const markSentStatement = prepare(
  'mark_operation_sent',
  // The new time must differ from the previous sending, whatever the clocks say. `settle` tells refusals apart by it.
  `WITH locked AS (
     SELECT t.void_pending FROM operation o
     JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
     WHERE o.merchant_account_id = @account AND o.id = @operation FOR NO KEY UPDATE OF t)
   UPDATE operation o SET sent_at = greatest(@now, o.sent_at + interval '1 millisecond'), lease_until = @leaseUntil,
     next_attempt_at = @leaseUntil, unsent = false
   FROM locked l
   WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING} AND o.lease_until = @held
     AND o.attempts = @attempts AND NOT (o.kind = 'authorize' AND o.unsent AND l.void_pending)
   RETURNING row_to_json(o) AS operation`,
);

/**
 * Records that an operation is about to be sent, for the first time after a delay, or again. Extends the lease.
 * Null when the operation has ended, or another process has claimed it since. The caller must then not send it, because
 * the other process may have. Each claim counts an attempt, which tells two claims with equal leases apart.
 * Null as well for a delayed authorisation under cancellation. Reconciliation claims that one after its lease.
 */
export async function markSent(
  db: Db,
  { merchantAccountId, id, leaseUntil: held, attempts }: Operation,
  now: Date,
  leaseUntil: Date,
): Promise<Operation | null> {
  const [row] = await db.query<{ operation: JsonRow }>(
    markSentStatement({ account: merchantAccountId, operation: id, held, attempts, now, leaseUntil }),
  );
  return row ? toOperation(row.operation) : null;
}

const retryStatement = prepare(
  'retry_operations_now',
  // Skips locked rows, because another process claims or settles them. Waiting for them could be a deadlock.
  `WITH waiting AS (
     SELECT merchant_account_id, id FROM operation
     WHERE merchant_account_id = @account AND payment_service_id = @service AND status = 'pending'
       AND unknown_at IS NOT NULL AND accepted_at IS NULL AND next_attempt_at > @now AND (lease_until IS NULL OR lease_until <= @now)
     FOR UPDATE SKIP LOCKED)
   UPDATE operation o SET next_attempt_at = @now FROM waiting w
   WHERE ${rowOf('o', 'w')}`,
);

/**
 * Makes every unknown outcome of a payment service due, because its provider answers again. The provider has answered
 * about its accepted operations all the time, so these keep their schedule.
 */
export async function retryNow(
  db: Db,
  { merchantAccountId, paymentServiceId }: Operation,
  now: Date,
): Promise<void> {
  await db.query(retryStatement({ account: merchantAccountId, service: paymentServiceId, now }));
}

const retryOnStatement = prepare(
  'retry_transaction_now',
  `WITH waiting AS (
     SELECT o.merchant_account_id, o.id FROM operation o
     WHERE o.merchant_account_id = @account AND o.transaction_id = @transaction AND o.status = 'pending'
       AND (o.kind = @verb OR (@verb = 'capture' AND o.kind = 'authorize'))
       AND (o.lease_until IS NULL OR o.lease_until <= @now)
     FOR UPDATE SKIP LOCKED)
   UPDATE operation o SET next_attempt_at = @now FROM waiting w
   WHERE ${rowOf('o', 'w')}`,
);

/** Makes an operation due, because the provider has sent a notice about the operation without a sure outcome. */
export async function retryTransactionNow(
  db: Db,
  { merchantAccountId, id }: Transaction,
  verb: OperationKind,
  now: Date,
): Promise<void> {
  await db.query(retryOnStatement({ account: merchantAccountId, transaction: id, verb, now }));
}
