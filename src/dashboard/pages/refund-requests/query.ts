import type { RefundApproval } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';

/** The fields of a request that each page shows. */
export const REQUEST = {
  ...{ id: true, transactionId: true, amount: true, currency: true, status: true, reason: true },
  ...{ requestedBy: true, requestedByViewer: true, decidedBy: true, decisionReason: true },
  ...{ createdAt: true, expiresAt: true },
} as const;

/** A refund that a person asked for, and that a second person must approve. */
export type RefundRequest = Answer<RefundApproval, typeof REQUEST>;
