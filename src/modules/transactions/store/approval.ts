import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import type { ApprovalState } from '../../../connectors/connector.ts';
import { toTransaction, type JsonRow } from './row.ts';
import type { Transaction } from '../transaction.ts';

/** What the buyer is asked, and what was said so far. */
export type Approval = {
  readonly merchantAccountId: string;
  readonly operationId: string;
  /** `challenge`: the buyer is to prove who they are before the provider is asked. `redirect`: the provider waits. */
  readonly kind: 'redirect' | 'challenge';
  readonly state: ApprovalState;
  readonly expiresAt: Date;
  readonly transaction: Transaction;
  /** The merchant account's, for the buyer to read. */
  readonly merchantName: string;
};

const findStatement = prepare(
  'approval_find',
  `SELECT a.merchant_account_id AS "merchantAccountId", a.operation_id AS "operationId", a.expires_at AS "expiresAt",
     a.kind, CASE WHEN a.state = 'pending' AND (a.expires_at <= @now OR o.status <> 'pending') THEN 'expired' ELSE a.state END AS state,
     row_to_json(t) AS transaction, m.display_name AS "merchantName"
   FROM approval a
   JOIN operation o ON o.merchant_account_id = a.merchant_account_id AND o.id = a.operation_id
   JOIN transaction t ON t.merchant_account_id = o.merchant_account_id AND t.id = o.transaction_id
   JOIN merchant_account m ON m.id = a.merchant_account_id
   WHERE a.token = @token`,
);

/** What is asked under a token, whatever became of it; null when there is no such token. The token says whose it is. */
export async function findApproval(db: Db, token: string, now: Date): Promise<Approval | null> {
  type Row = Omit<Approval, 'transaction'> & { readonly transaction: JsonRow };
  const [row] = await db.query<Row>(findStatement({ token, now }));
  return row ? { ...row, transaction: toTransaction(row.transaction) } : null;
}

const decideStatement = prepare(
  'approval_decide',
  `WITH decided AS (
     UPDATE approval SET state = @said, decided_at = @now
     WHERE token = @token AND state = 'pending' AND expires_at > @now
       AND EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = approval.merchant_account_id
         AND o.id = approval.operation_id AND o.status = 'pending')
     RETURNING merchant_account_id, operation_id),
   due AS (
     UPDATE operation o SET next_attempt_at = @nextAttemptAt FROM decided d
     WHERE o.merchant_account_id = d.merchant_account_id AND o.id = d.operation_id AND o.status = 'pending' AND o.unsent)
   SELECT operation_id FROM decided`,
);

/**
 * Writes down what the buyer says: the first word counts, in time and of a payment that is open. False: too late.
 * `nextAttemptAt`: when reconciliation goes on with what a challenge held back, if nobody has by then.
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
   WHERE o.merchant_account_id = e.merchant_account_id AND o.id = e.operation_id AND o.status = 'pending'
     AND (o.next_attempt_at IS NULL OR o.next_attempt_at > @now)
   RETURNING o.id`,
);

/** Ends the time of those who said nothing, and has reconciliation settle what they were asked for. */
export async function expireApprovals(db: Db, now: Date): Promise<boolean> {
  return (await db.query(expireStatement({ now }))).length === CHUNK;
}
