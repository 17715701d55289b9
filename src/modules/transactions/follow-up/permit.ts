import type { App } from '../../../app.ts';
import type { Money } from '../../../kernel/money.ts';
import { limitOf, type Permit } from '../model/permit.ts';
import type { RefundApprovalEnded, RefundApprovalRequired } from '../model/refusals.ts';
import { readApprovalOpen, readRefundedAlone } from '../follow-up-claim/permit.sql.ts';

/** Returns the reason why a permit does not allow a refund now. Null allows the refund. The claim checks the same. */
export async function refusePermit(
  { db }: Pick<App, 'db'>,
  account: string,
  { transactionId, ...requested }: Money & { readonly transactionId: string },
  permit: Permit | undefined,
): Promise<RefundApprovalRequired | RefundApprovalEnded | null> {
  if (permit === undefined) return null;
  if (permit.kind === 'approved') {
    const isOpen = await readApprovalOpen(db, account, permit.approvalId);
    return isOpen ? null : { kind: 'RefundApprovalEnded', status: 'approved' };
  }
  const limit = limitOf(permit.limits, requested.currency);
  if (limit === null) return null;
  const [alone = 0] = await readRefundedAlone(db, account, [transactionId]);
  if (alone + requested.amount <= limit) return null;
  return { kind: 'RefundApprovalRequired', requested, approvalId: null, status: 'pending' };
}
