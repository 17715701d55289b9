import type { Viewer } from '../../../app.ts';
import type { Machine } from '../../../kernel/machine.ts';

/** A refund that a person asked for, and that a second person must approve. */
export type RefundApproval = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
  /** The refund to make. The amount is in minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly target: 'payment_method' | 'gift_card_redemption' | 'all';
  readonly redemptionId: string | null;
  readonly force: boolean;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly status: RefundApprovalStatus;
  /** The name of the person who asked, and the person's record. The visitor of a sandbox has no record. */
  readonly requestedBy: string;
  readonly requestedById: string | null;
  /** The person who approved, rejected or withdrew the request. */
  readonly decidedBy: string | null;
  readonly decidedById: string | null;
  readonly decisionReason: string | null;
  /** The refund, or the first of several. Null before its claim. */
  readonly operationId: string | null;
  /** The code of the refusal after the approval. Null unless failed. */
  readonly errorCode: string | null;
  /** The time at which a worker makes an approved refund that nobody has claimed. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
};

export const REFUND_APPROVAL_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
  'failed',
] as const;

/** The state of a request. `failed` means that the payment did not allow the refund any more, after the approval. */
export type RefundApprovalStatus = (typeof REFUND_APPROVAL_STATUSES)[number];

/** A decision about a request, or the end of its time, or a refusal of the approved refund. */
export type ApprovalStep = 'approve' | 'reject' | 'withdraw' | 'expire' | 'fail';

/** Every state of a request and every way out of it. */
export const approvalLifecycle = {
  pending: { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn', expire: 'expired' },
  approved: { fail: 'failed' },
  rejected: {},
  withdrawn: {},
  expired: {},
  failed: {},
} as const satisfies Machine<RefundApprovalStatus, ApprovalStep>;

/** The time to decide about a request: 72 hours. */
export const APPROVAL_MS = 72 * 3_600_000;

/** Returns the status at a moment. A request expires at its time, even if no worker has written that yet. */
export const statusAt = (
  { status, expiresAt }: Pick<RefundApproval, 'status' | 'expiresAt'>,
  now: Date,
): RefundApprovalStatus => (status === 'pending' && expiresAt <= now ? 'expired' : status);

/** A person by name, with the person's record. The visitor of a sandbox has no record. */
export type NamedPerson = { readonly name: string; readonly id: string | null };

/** Returns the person of a viewer. Null for a token. */
export const personOf = ({ person, personId = null }: Viewer): NamedPerson | null =>
  person === undefined ? null : { name: person, id: personId };

/** Returns the person who asked for a refund. */
export const requesterOf = ({ requestedBy: name, requestedById: id }: RefundApproval): NamedPerson => ({
  name,
  id,
});

/**
 * Returns true if two names may be one human. A person may have a local account beside
 * an account at an identity provider. So two accounts with one e-mail address count as one human.
 */
export const isSamePerson = (one: NamedPerson, other: NamedPerson): boolean =>
  one.name.toLowerCase() === other.name.toLowerCase() || (one.id !== null && one.id === other.id);
