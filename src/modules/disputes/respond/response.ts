import type { Dispute, DisputeStage } from '../dispute.ts';
import type { DisputeNotRespondable } from '../refusals.ts';

/** The merchant's response to a dispute. */
export type DisputeResponse = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly disputeId: string;
  readonly kind: 'evidence' | 'acceptance';
  /** The stage of the dispute that the response is about. */
  readonly stage: DisputeStage;
  /** The provider's id of the payment. Every request under the key names the same. Null if unknown at the claim. */
  readonly paymentReference: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** The sealed evidence, only while the response is pending. */
  readonly sealedEvidence: string | null;
  /** The caller's idempotency key. Null without one. */
  readonly idempotencyKey: string | null;
  /** The key at the provider. Null if the id is the key. */
  readonly providerKey: string | null;
  /** The moment of the latest request without a clear answer. Null before the end of the first request. */
  readonly unclearAt: Date | null;
  /** The moment at which the provider took an acceptance whose loss waits for the payment's outcome. Null otherwise. */
  readonly acceptedAt: Date | null;
  /** The provider's code of a refusal, or `UNKNOWN_OUTCOME`. Null unless failed. */
  readonly errorCode: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly settledAt: Date | null;
  readonly createdAt: Date;
};

/** A response, and its dispute after the response. */
export type Responded = { readonly dispute: Dispute; readonly response: DisputeResponse };

/** The mutation of each kind of response. */
export const MUTATION_OF = {
  evidence: 'submitDisputeEvidence',
  acceptance: 'acceptDispute',
} as const satisfies Record<DisputeResponse['kind'], string>;

/** The code of a response whose outcome stayed unknown. */
export const UNKNOWN_OUTCOME = 'unknown_outcome';

type Facts = {
  readonly now: Date;
  readonly isSupported: boolean;
  readonly hasPending: boolean;
};

/** Returns the reason why a dispute takes no response now. Pure. Null allows the response. */
export function refuseResponse(
  { status, respondBy }: Pick<Dispute, 'status' | 'respondBy'>,
  { now, isSupported, hasPending }: Facts,
): DisputeNotRespondable | null {
  const refusal = (reason: DisputeNotRespondable['reason']) =>
    ({ kind: 'DisputeNotRespondable', reason, status }) as const;
  if (!isSupported) return refusal('not_supported');
  if (hasPending) return refusal('under_way');
  if (status !== 'needs_response') return refusal('status');
  return respondBy !== null && respondBy <= now ? refusal('too_late') : null;
}

/** The next step of a response that may have arrived: a repeat, nothing, or patience. */
type Step = 'send' | 'done' | 'hold';

/**
 * Decides how a response without an outcome goes on. Pure. A response never goes into another stage. An acceptance is sent
 * again only while the dispute needs a response. The provider's word that the dispute is accepted answers an acceptance.
 */
export function nextStep(
  { stage, kind }: Pick<DisputeResponse, 'stage' | 'kind'>,
  dispute: Pick<Dispute, 'stage' | 'status'>,
): Step {
  if (dispute.stage !== stage) return 'hold';
  if (kind === 'evidence' || dispute.status === 'needs_response') return 'send';
  return dispute.status === 'accepted' ? 'done' : 'hold';
}

/** The pause before the first retry, and the longest pause. */
const FIRST_MS = 2_000;
const LONGEST_MS = 3_600_000;

/** The time after which a response without an outcome fails. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;

/**
 * Returns the moment of the next attempt after an unclear answer. Each pause is twice as long as the one before, from 2 s to an
 * hour. Null after 7 days.
 */
export function nextResponseAt(
  now: Date,
  { attempts, createdAt }: Pick<DisputeResponse, 'attempts' | 'createdAt'>,
): Date | null {
  if (heldUntil(now, { createdAt }) === null) return null;
  return new Date(now.getTime() + Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_MS));
}

/** Returns the end of the seven days of a response that is not sent again. Null after the end. */
export function heldUntil(now: Date, { createdAt }: Pick<DisputeResponse, 'createdAt'>): Date | null {
  const end = new Date(createdAt.getTime() + GIVE_UP_MS);
  return end > now ? end : null;
}
