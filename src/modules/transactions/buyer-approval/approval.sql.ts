import { assignWork } from '../../../platform/fairness/owner.ts';
import type { ApprovalState } from '../../../connectors/requests.ts';
import type { OpenedSession, SessionData } from '../../../connectors/sessions.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import type { Transaction } from '../model/transaction.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';

/** A request to the buyer, with the answer so far. */
export type Approval = {
  readonly merchantAccountId: string;
  readonly operationId: string;
  /**
   * The kinds of approvals.
   * - `challenge`: the buyer proves their identity before any call of the provider.
   * - `redirect`: the provider waits.
   * - `session`: the buyer approves in the merchant's client, which then completes the payment.
   * - `voucher`: the buyer pays elsewhere.
   */
  readonly kind: 'redirect' | 'challenge' | 'session' | 'voucher';
  /**
   * The state of the approval. `returned`: the buyer came back from the provider's own page. A session is `approved` first, and `completed` after
   * the client's call.
   */
  readonly state: ApprovalState | 'returned';
  readonly completed: boolean;
  /** True when the buyer decides at the provider's own page, and comes back from there. */
  readonly isAtProvider: boolean;
  /** The form that the buyer's browser posts to the provider's page, or the action of the buyer's client. Null without one. */
  readonly sealedForm: string | null;
  /** The data of a session for the client. Null before the client opened the session, and for other kinds. */
  readonly sessionData: StoredSession | null;
  readonly expiresAt: Date;
  readonly transaction: Transaction;
  /** The name for the buyer to read: of the payment link, or else of the merchant account. */
  readonly merchantName: string;
};

/** The data of a session, and the place of the buyer's approval. */
export type StoredSession = SessionData &
  Pick<Extract<OpenedSession, { readonly kind: 'opened' }>, 'atProvider'>;

/** Selects an approval. `by` is the column of its token or digest. */
const findBy = (by: 'token' | 'session_digest' | 'completion_digest' | 'return_digest') =>
  prepare(
    `approval_find_by_${by}`,
    `SELECT a.merchant_account_id AS "merchantAccountId", a.operation_id AS "operationId", a.expires_at AS "expiresAt",
       a.kind, CASE WHEN a.state <> 'pending' THEN a.state
         WHEN a.expires_at <= @now OR o.status <> 'pending' THEN 'expired'
         WHEN a.approved_at IS NOT NULL THEN 'approved' ELSE a.state END AS state,
       a.kind = 'session' AND a.state = 'approved' AS completed, a.return_digest IS NOT NULL AS "isAtProvider",
       o.sealed_form AS "sealedForm", a.session_data AS "sessionData",
       row_to_json(t) AS transaction, coalesce(l.merchant_name, m.display_name) AS "merchantName"
     FROM approval a
     JOIN operation o ON ${rowOf('o', 'a', 'operation_id')}
     JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
     JOIN merchant_account m ON m.id = a.merchant_account_id
     LEFT JOIN payment_link l ON ${rowOf('l', 't', 'payment_link_id')}
     WHERE a.${by} = @key`,
  );

const findStatements = {
  page: findBy('token'),
  session: findBy('session_digest'),
  completion: findBy('completion_digest'),
  return: findBy('return_digest'),
} as const;

/**
 * Finds an approval by the token of its page, or by the digest of another token, whatever its state. Null when no
 * approval has the token. The token tells the merchant account.
 */
export async function findApproval(
  db: Db,
  by: keyof typeof findStatements,
  key: string,
  now: Date,
): Promise<Approval | null> {
  type Row = Omit<Approval, 'transaction'> & { readonly transaction: JsonRow };
  const [row] = await db.query<Row>(findStatements[by]({ key, now }));
  if (!row) return null;
  assignWork(row.merchantAccountId);
  return { ...row, transaction: toTransaction(row.transaction) };
}

const IN_CLIENT = `kind = 'session' AND @decision = 'approved'`;

const decideStatement = prepare(
  'approval_decide',
  `WITH decided AS (
     UPDATE approval SET
       state = CASE WHEN ${IN_CLIENT} THEN state ELSE @decision END,
       decided_at = CASE WHEN ${IN_CLIENT} THEN NULL ELSE @now::timestamptz END,
       approved_at = CASE WHEN ${IN_CLIENT} THEN @now::timestamptz END
     WHERE token = @token AND state = 'pending' AND kind <> 'voucher' AND return_digest IS NULL AND approved_at IS NULL AND expires_at > @now
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
 * Writes the buyer's decision. Only the first decision counts, within its time and for an open payment. Returns false
 * when the decision is too late, or the buyer paid elsewhere. In a session the buyer's approval decides nothing yet,
 * because the client completes the payment.
 * Reconciliation continues a challenged payment at `nextAttemptAt`. An operation under a lease becomes due at once,
 * because its process does not know the decision.
 */
export async function decideApproval(
  db: Db,
  token: string,
  decision: 'approved' | 'refused',
  { now, nextAttemptAt }: { readonly now: Date; readonly nextAttemptAt: Date },
): Promise<boolean> {
  return (await db.query(decideStatement({ token, decision, now, nextAttemptAt }))).length === 1;
}

/** The number of approvals in one statement, so that no other statement waits long for their rows. */
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

/**
 * Ends approvals without a decision after their time, and makes their operations due for reconciliation. Returns true
 * when more may be left.
 */
export async function expireApprovals(db: Db, now: Date): Promise<boolean> {
  return (await db.query(expireStatement({ now }))).length === CHUNK;
}
