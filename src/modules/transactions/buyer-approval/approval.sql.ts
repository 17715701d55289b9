import type { ApprovalState } from '../../../connectors/requests.ts';
import type { SessionData } from '../../../connectors/sessions.ts';
import type { Db } from '../../../platform/db.ts';
import { prepare, rowOf } from '../../../platform/statement.ts';
import type { Purpose } from '../awaiting/session-token.ts';
import type { Transaction } from '../model/transaction.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';

/** What the buyer is asked, and what was said so far. */
export type Approval = {
  readonly merchantAccountId: string;
  readonly operationId: string;
  /**
   * `challenge`: the buyer is to prove who they are before the provider is asked. `redirect`: the provider waits. `session`: the
   * buyer approves in the merchant's client, which then completes the payment. `voucher`: the buyer pays elsewhere.
   */
  readonly kind: 'redirect' | 'challenge' | 'session' | 'voucher';
  /** Of a session, `approved` is when the buyer has said so; the payment is `completed` after that. */
  readonly state: ApprovalState;
  readonly completed: boolean;
  /** Of a session: what the client was given; null before it was asked for. */
  readonly sessionData: SessionData | null;
  readonly expiresAt: Date;
  readonly transaction: Transaction;
  /** The merchant account's, for the buyer to read. */
  readonly merchantName: string;
};

/** `by`: the column that has what it is found by. */
const findBy = (by: 'token' | 'session_digest' | 'completion_digest') =>
  prepare(
    `approval_find_by_${by}`,
    `SELECT a.merchant_account_id AS "merchantAccountId", a.operation_id AS "operationId", a.expires_at AS "expiresAt",
       a.kind, CASE WHEN a.state <> 'pending' THEN a.state
         WHEN a.expires_at <= @now OR o.status <> 'pending' THEN 'expired'
         WHEN a.approved_at IS NOT NULL THEN 'approved' ELSE a.state END AS state,
       a.kind = 'session' AND a.state = 'approved' AS completed, a.session_data AS "sessionData",
       row_to_json(t) AS transaction, m.display_name AS "merchantName"
     FROM approval a
     JOIN operation o ON ${rowOf('o', 'a', 'operation_id')}
     JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
     JOIN merchant_account m ON m.id = a.merchant_account_id
     WHERE a.${by} = @key`,
  );

const findStatements = {
  page: findBy('token'),
  session: findBy('session_digest'),
  completion: findBy('completion_digest'),
} as const;

/**
 * What is asked under the token of a page, or under the digest of another token; whatever became of it. Null when there is no
 * such token. The token says whose it is.
 */
export async function findApproval(
  db: Db,
  by: 'page' | Purpose,
  key: string,
  now: Date,
): Promise<Approval | null> {
  type Row = Omit<Approval, 'transaction'> & { readonly transaction: JsonRow };
  const [row] = await db.query<Row>(findStatements[by]({ key, now }));
  return row ? { ...row, transaction: toTransaction(row.transaction) } : null;
}

const IN_CLIENT = `kind = 'session' AND @said = 'approved'`;

const decideStatement = prepare(
  'approval_decide',
  `WITH decided AS (
     UPDATE approval SET
       state = CASE WHEN ${IN_CLIENT} THEN state ELSE @said END,
       decided_at = CASE WHEN ${IN_CLIENT} THEN NULL ELSE @now::timestamptz END,
       approved_at = CASE WHEN ${IN_CLIENT} THEN @now::timestamptz END
     WHERE token = @token AND state = 'pending' AND kind <> 'voucher' AND approved_at IS NULL AND expires_at > @now
       AND EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = approval.merchant_account_id
         AND o.id = approval.operation_id AND o.status = 'pending')
     RETURNING merchant_account_id, operation_id),
   due AS (
     UPDATE operation o SET next_attempt_at = CASE WHEN o.unsent THEN @nextAttemptAt::timestamptz ELSE @now END FROM decided d
     WHERE ${rowOf('o', 'd', 'operation_id')} AND o.status = 'pending'
       AND (o.unsent OR o.lease_until > @now))
   SELECT operation_id FROM decided`,
);

/**
 * Writes down what the buyer says: the first word counts, in time and of a payment that is open. False: too late, or it is
 * paid elsewhere. Who approves in a client decides nothing by it: the client completes the payment.
 * `nextAttemptAt`: when reconciliation goes on with what a challenge held back, if nobody has by then. What somebody is asking
 * the provider about at this moment is taken up again at once, for they have not told it.
 */
export async function decideApproval(
  db: Db,
  token: string,
  said: 'approved' | 'refused',
  { now, nextAttemptAt }: { readonly now: Date; readonly nextAttemptAt: Date },
): Promise<boolean> {
  return (await db.query(decideStatement({ token, said, now, nextAttemptAt }))).length === 1;
}

/** So many in one statement, so that nobody waits long for their rows. */
const CHUNK = 500;

const expireStatement = prepare(
  'approval_expire',
  `WITH late AS (
     SELECT merchant_account_id, operation_id FROM approval WHERE state = 'pending' AND expires_at <= @now
     ORDER BY expires_at LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED),
   expired AS (
     UPDATE approval a SET state = 'expired', decided_at = @now FROM late l
     WHERE a.merchant_account_id = l.merchant_account_id AND a.operation_id = l.operation_id
     RETURNING a.merchant_account_id, a.operation_id)
   UPDATE operation o SET next_attempt_at = @now FROM expired e
   WHERE ${rowOf('o', 'e', 'operation_id')} AND o.status = 'pending'
     AND (o.next_attempt_at IS NULL OR o.next_attempt_at > @now)
   RETURNING o.id`,
);

/** Ends the time of those who said nothing, and has reconciliation settle what they were asked for. */
export async function expireApprovals(db: Db, now: Date): Promise<boolean> {
  return (await db.query(expireStatement({ now }))).length === CHUNK;
}
