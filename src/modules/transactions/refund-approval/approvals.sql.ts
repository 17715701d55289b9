import { next } from '../../../kernel/machine.ts';
import type { PageRequest } from '../../../kernel/page.ts';
import { columnSet, readRows, readRowsOfEach } from '../../../platform/database/column-set.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import { Prisma, type RefundApproval as Row } from '../../../platform/generated/prisma/client.ts';
import { readIdPage } from '../../../platform/lists/id-page.sql.ts';
import { isOneOf } from '../../../platform/lists/list-filters.sql.ts';
import { hidden, isAmong, prepare, prepareFile } from '../../../platform/database/statement.ts';
import {
  approvalLifecycle,
  type ApprovalStep,
  type RefundApproval,
  type RefundApprovalStatus,
} from '../model/refund-approval.ts';

/** Writes a new request. */
export async function insertApproval(tx: Tx, approval: RefundApproval): Promise<void> {
  await tx.refundApproval.create({ data: approval });
}

/** Reads a request. Null if the merchant account has no such request. The id must be a UUID. */
export async function readApproval(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  id: string,
): Promise<RefundApproval | null> {
  const row = await prisma.refundApproval.findFirst({ where: { merchantAccountId, id } });
  return row && toApproval(row);
}

const FIELDS = Object.values(Prisma.RefundApprovalScalarFieldEnum);

/** The columns of a request. The database checks their words. */
const COLUMNS = columnSet<RefundApproval>('whole', FIELDS, FIELDS);

const byIds = prepare(
  'refund_approvals_by_id',
  `SELECT ${COLUMNS.select('p')} FROM refund_approval p
   WHERE p.merchant_account_id = @account AND ${isAmong('p.id', '@ids::uuid[]')}`,
);

/** Reads requests of one merchant account, in no order. Leaves out ids that the account lacks. */
export const readApprovals = (
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<readonly RefundApproval[]> => readRows(db, byIds({ account, ids }), COLUMNS);

/**
 * Reads a page and one row more, newest first or, backward, oldest first. The requests have one of the states, and an empty
 * list stands for all states. A cursor must be a UUID.
 */
export const readApprovalPage = (
  db: Db,
  account: string,
  page: PageRequest,
  statuses: readonly RefundApprovalStatus[],
): Promise<readonly RefundApproval[]> => {
  const conditions = statuses.length === 0 ? [] : [isOneOf('status', 'text', statuses)];
  return readIdPage(db, { table: 'refund_approval', account, columns: COLUMNS, conditions }, page);
};

const ofTransactions = prepare(
  'refund_approvals_of_transactions',
  `SELECT wanted.ordinal::int, ${COLUMNS.select('p')}
   FROM unnest(${hidden('@transactions::uuid[]')}) WITH ORDINALITY AS wanted (transaction_id, ordinal)
   CROSS JOIN LATERAL (
     SELECT * FROM refund_approval p
     WHERE p.merchant_account_id = @account AND p.transaction_id = wanted.transaction_id
     ORDER BY p.id DESC LIMIT @limit) p
   ORDER BY wanted.ordinal, p.id DESC`,
);

/** Reads the latest requests of each payment, newest first. Returns at most `limit` for each, in the order of the payments. */
export const readApprovalsOf = (
  db: Db,
  account: string,
  transactions: readonly string[],
  limit: number,
): Promise<readonly (readonly RefundApproval[])[]> =>
  readRowsOfEach(db, ofTransactions({ account, transactions, limit }), COLUMNS, transactions.length);

/** The columns that a step writes beside the status. */
type Patch = Partial<
  Pick<
    RefundApproval,
    'decidedBy' | 'decidedById' | 'decisionReason' | 'decidedAt' | 'errorCode' | 'nextAttemptAt'
  >
>;

/**
 * Moves a request to its next state. One UPDATE, which only the first of two processes carries out. Returns the changed
 * request. Null means that another process was first, that the refund is claimed, or that the time is over. Only an expiry
 * comes after the time.
 */
export async function changeApproval(
  tx: Tx,
  { merchantAccountId, id, status }: Pick<RefundApproval, 'merchantAccountId' | 'id' | 'status'>,
  step: ApprovalStep,
  { now, ...patch }: Patch & { readonly now: Date },
): Promise<RefundApproval | null> {
  const becomes = next(approvalLifecycle, status, step);
  if (becomes === null) return null;
  const inTime = status === 'pending' && step !== 'expire' ? { expiresAt: { gt: now } } : {};
  const { count } = await tx.refundApproval.updateMany({
    where: { merchantAccountId, id, status, operationId: null, ...inTime },
    data: { ...patch, status: becomes },
  });
  if (count === 0) return null;
  const row = await tx.refundApproval.findFirst({ where: { merchantAccountId, id } });
  return row && toApproval(row);
}

/** Reads pending requests of all merchant accounts whose time is over, at most `limit`. */
export async function readOverdue(
  { prisma }: Pick<Db, 'prisma'>,
  now: Date,
  limit: number,
): Promise<readonly RefundApproval[]> {
  const where = { status: 'pending', expiresAt: { lte: now } };
  return (await prisma.refundApproval.findMany({ where, orderBy: { expiresAt: 'asc' }, take: limit })).map(
    toApproval,
  );
}

const dueStatement = prepareFile(import.meta, 'claim-due-refund-approval.sql');

/** Claims an approved request without a refund, of any merchant account. Null when none is due. */
export async function claimDueApproval(
  db: Db,
  lease: { readonly now: Date; readonly leaseUntil: Date },
): Promise<RefundApproval | null> {
  const [row] = await db.query<Pick<RefundApproval, 'merchantAccountId' | 'id'>>(dueStatement(lease));
  return row ? readApproval(db, row.merchantAccountId, row.id) : null;
}

/** The database checks the words of the columns. */
const toApproval = (row: Row): RefundApproval => row as RefundApproval;
