import type { Answer } from '../../../client/operations/selection.ts';
import type { RefundApproval } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';

/** The fields of a request that each page shows. */
export const REQUEST = {
  ...{ id: true, transactionId: true, amount: true, currency: true, status: true, reason: true },
  ...{ requestedBy: true, requestedByViewer: true, decidedBy: true, decisionReason: true },
  ...{ createdAt: true, expiresAt: true },
} as const;

/** A refund that a person asked for, and that a second person must approve. */
export type RefundRequest = Answer<RefundApproval, typeof REQUEST>;

/** The states of each filter. */
export const FILTERS = { pending: ['PENDING'], all: null } as const;
export type Filter = keyof typeof FILTERS;

/** Reads a page of the requests, newest first. */
export async function readRequests(
  filter: Filter,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<RefundRequest>> {
  const { refundApprovals } = await api.query(
    {
      refundApprovals: [
        { status: FILTERS[filter], first: 25, after },
        { nodes: REQUEST, pageInfo: PAGE_INFO },
      ],
    },
    { signal },
  );
  return rowsOf(refundApprovals);
}

/** Reads the amount that is left to refund of a payment. Null without such a payment. */
export async function readLeft(id: string, signal: AbortSignal) {
  const { transaction } = await api.query(
    { transaction: [{ id }, { refundable: { amount: true, currency: true } }] },
    { signal },
  );
  return transaction && transaction.refundable;
}

/** Approves a request, and returns the state of its refund. A repeated request makes no second refund. */
export async function approve(id: string): Promise<string> {
  const { approveRefund } = await api.mutate({ approveRefund: [{ id }, { refund: { status: true } }] });
  return approveRefund.refund?.status ?? 'PROCESSING';
}

/** Rejects a request of somebody else. */
export async function reject(id: string, reason: string): Promise<void> {
  await api.mutate({ rejectRefund: [{ id, reason }, { approval: { id: true } }] });
}

/** Withdraws an own request. */
export async function withdraw(id: string): Promise<void> {
  await api.mutate({ withdrawRefund: [{ id }, { approval: { id: true } }] });
}
