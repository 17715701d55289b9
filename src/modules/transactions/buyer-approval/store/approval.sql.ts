import { assignWork } from '../../../../platform/fairness/owner.ts';
import type { ApprovalState } from '../../../../connectors/interface/requests.ts';
import type { OpenedSession, SessionData } from '../../../../connectors/interface/sessions.ts';
import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { Transaction } from '../../model/transaction.ts';
import { toTransaction, type JsonRow } from '../../rows/rows.sql.ts';

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

const findStatements = {
  page: prepareFile(import.meta, 'approval-find-by-token.sql'),
  session: prepareFile(import.meta, 'approval-find-by-session-digest.sql'),
  completion: prepareFile(import.meta, 'approval-find-by-completion-digest.sql'),
  return: prepareFile(import.meta, 'approval-find-by-return-digest.sql'),
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

const decideStatement = prepareFile(import.meta, 'approval-decide.sql');

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
export const EXPIRED_MAX = 500;

const expireStatement = prepareFile(import.meta, 'approval-expire.sql');

/**
 * Ends approvals without a decision after their time, and makes their operations due for reconciliation. Returns true
 * when more may be left.
 */
export async function expireApprovals(db: Db, now: Date): Promise<boolean> {
  return (await db.query(expireStatement({ now }))).length === EXPIRED_MAX;
}
