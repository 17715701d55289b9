import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import type { Answer } from '../claim/replay.ts';
import { limitOf } from '../model/permit.ts';
import { readRefundedAlone } from '../follow-up-claim/permit.sql.ts';
import { readOperation } from '../rows/read.sql.ts';
import type { RefundApproval, RefundApprovalStatus } from '../model/refund-approval.ts';
import { refundable, type Transaction } from '../model/transaction.ts';
import { readApprovalPage, readApprovals, readApprovalsOf } from './approvals.sql.ts';

/** Lists the requests of the merchant account in one of the given states, newest first. No state stands for all. */
export async function listRefundApprovals(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  statuses: readonly RefundApprovalStatus[] | null | undefined,
): Promise<Result<Page<RefundApproval>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok(toPage(page, await readApprovalPage(app.db, merchantAccountId, page, statuses ?? [])));
}

/** Returns requests in the order of the ids. An id unknown to the viewer's merchant account gives null. */
export async function findRefundApprovals(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (RefundApproval | null)[]> {
  return inOrderOf(ids, await readApprovals(app.db, merchantAccountId, ids.filter(isUuid)));
}

/** The most requests of one payment that are shown with the payment. */
const LATEST_MAX = 100;

/** Returns the latest requests of each payment, newest first, in the order of the ids. */
export async function findRefundApprovalsOf(
  app: App,
  { merchantAccountId }: Viewer,
  transactionIds: readonly string[],
): Promise<readonly (readonly RefundApproval[])[]> {
  const ids = transactionIds.filter(isUuid);
  const found = await readApprovalsOf(app.db, merchantAccountId, ids, LATEST_MAX);
  const byTransaction = new Map(ids.map((id, index) => [id, found[index]]));
  return transactionIds.map((id) => byTransaction.get(id) ?? []);
}

/** Returns the amounts that people refunded of payments without a second person, in minor units. */
export const findRefundedAlone = (
  app: App,
  { merchantAccountId }: Viewer,
  transactionIds: readonly string[],
): Promise<readonly number[]> => readRefundedAlone(app.db, merchantAccountId, transactionIds);

/** Returns the limit of the viewer's refunds in a currency, in minor units. Null for a token, and without a limit. */
export const refundLimitOf = (
  { config }: App,
  { person }: Viewer,
  { currency }: Pick<Transaction, 'currency'>,
): number | null => (person === undefined ? null : limitOf(config.PAYGRAPH_REFUND_APPROVAL, currency));

/** Returns the amount of a payment that a person can refund without a second person, within a limit. */
export const refundableAlone = (
  transaction: Transaction,
  { limit, alone }: { readonly limit: number; readonly alone: number },
) => {
  const { amount, currency } = refundable(transaction);
  return { amount: Math.min(amount, Math.max(limit - alone, 0)), currency };
};

/** Returns the refund of a request as it is now. Null before the refund. */
export async function answerOf(
  { db }: Pick<App, 'db'>,
  { merchantAccountId, operationId }: RefundApproval,
): Promise<Answer | null> {
  if (operationId === null) return null;
  const found = await readOperation(db, merchantAccountId, operationId);
  if (!found) throw new Error(`Operation ${operationId} is gone`);
  return { ...found, replayed: true };
}
