/** The pause before the first look after an unclear answer. */
const FIRST_MS = 2_000;

/**
 * The longest pause between two looks. A provider's recovery is then noticed within a minute. A silent provider is not
 * flooded, because its services have the smallest concurrency (recovery/provider-concurrency.ts).
 */
const LONGEST_MS = 30_000;

/** The time after which a person must resolve the operation. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;

/**
 * Returns when an operation of unknown outcome is due again. The pauses are 2 s, 4 s, 8 s, 16 s, then 30 s for 7 days.
 * Operations beyond the concurrency of their payment service take turns. Null after 7 days. The operation then stays
 * pending with its reservation, until a webhook or a person resolves it.
 */
export function nextAttemptAt(now: Date, { attempts, createdAt }: Requested): Date | null {
  if (now.getTime() - createdAt.getTime() >= GIVE_UP_MS) return null;
  return new Date(now.getTime() + Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_MS));
}

type Requested = { readonly attempts: number; readonly createdAt: Date };

/**
 * The pauses between two requests for a provider's decision, by the time since its acceptance. A webhook usually comes
 * first.
 */
const DECISION_PACES = [
  { youngerThanMs: 3_600_000, paceMs: 60_000 },
  { youngerThanMs: 24 * 3_600_000, paceMs: 15 * 60_000 },
] as const;
const DECISION_PACE_MS = 6 * 3_600_000;

/**
 * Returns when the provider is asked for its decision. The pauses are a minute for an hour, 15 minutes for a day, then
 * 6 hours. The provider is asked at the end of its time too, because the operation then counts as unknown.
 */
export function nextDecisionAt(now: Date, { acceptedAt, decisionUntil }: Accepted): Date {
  const ageMs = now.getTime() - (acceptedAt ?? now).getTime();
  const pace = DECISION_PACES.find(({ youngerThanMs }) => ageMs < youngerThanMs);
  const next = new Date(now.getTime() + (pace?.paceMs ?? DECISION_PACE_MS));
  return decisionUntil && decisionUntil > now && decisionUntil < next ? decisionUntil : next;
}

type Accepted = { readonly acceptedAt: Date | null; readonly decisionUntil: Date | null };

/** The least time of a provider after the end of the buyer's approval. */
const AFTER_APPROVAL_MS = 3_600_000;

/** Returns the end of the time within which a provider decides. `approvalEnd` is null if no buyer approves. */
export function decisionEnd(acceptedAt: Date, windowMs: number, approvalEnd: Date | null): Date {
  const end = acceptedAt.getTime() + windowMs;
  return new Date(approvalEnd ? Math.max(end, approvalEnd.getTime() + AFTER_APPROVAL_MS) : end);
}

/** The end of the buyer's time. */
type BuyerEnd = {
  /** The end that the buyer sees. */
  readonly expiresAt: Date;
  /** True if the provider's code or voucher ends before the payment's own time. */
  readonly isSooner: boolean;
  /** The moment from which the payment is ended at the provider. */
  readonly abandonedAt: Date;
};

/**
 * Returns the end of the buyer's time. A code or a voucher of the provider may end sooner than the payment.
 *
 * A provider that tells of payments later has until then, counted from the later of both ends. A voucher that the buyer can
 * still pay is never given up. Null for a payment without an end.
 */
export function buyerEnd(
  own: Date | null,
  ofProvider: Date | null,
  { now, toldWithinMs }: { readonly now: Date; readonly toldWithinMs: number },
): BuyerEnd | null {
  if (!own) return null;
  const other = ofProvider && ofProvider > now ? ofProvider : own;
  const [sooner, later] = other < own ? [other, own] : [own, other];
  const abandonedAt = toldWithinMs === 0 ? sooner : new Date(later.getTime() + toldWithinMs);
  return { expiresAt: sooner, isSooner: sooner < own, abandonedAt };
}
