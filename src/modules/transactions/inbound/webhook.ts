import type { Notice } from '../../../connectors/webhook.ts';

/** A provider's webhook, verified, parsed and stored. The webhook waits until a match or until it is too old. */
export type InboundWebhook = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly paymentServiceId: string;
  /** The notice without a provider's token. */
  readonly notice: Notice;
  /** The provider's token of a stored payment method. Null for a notice without a token. */
  readonly sealedToken: string | null;
  readonly receivedAt: Date;
};

/** The end of a webhook: a change, no change, or no match in time. */
export type InboundEnd = 'applied' | 'ignored' | 'expired';

/** The time after which an unmatched webhook expires. */
const KEPT_MS = 7 * 24 * 3_600_000;

const FIRST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** True when a webhook has waited for the full time without a match. */
export const isOver = (now: Date, receivedAt: Date): boolean => now.getTime() >= endOf(receivedAt);

/**
 * Returns the moment of the next match. Each pause is as long as the wait so far, between 1 s and an hour, and ends
 * with expiry.
 */
export function nextMatchAt(now: Date, receivedAt: Date): Date {
  const waitedMs = now.getTime() - receivedAt.getTime();
  const pauseMs = Math.min(Math.max(waitedMs, FIRST_MS), LONGEST_MS);
  return new Date(Math.min(now.getTime() + pauseMs, Math.max(endOf(receivedAt), now.getTime())));
}

const endOf = (receivedAt: Date): number => receivedAt.getTime() + KEPT_MS;

/**
 * Returns the next attempt while another process waits for the provider's answer. The provider answers within seconds and
 * goes first.
 */
export const whenFree = (now: Date): Date => new Date(now.getTime() + FIRST_MS);

/** The lease of a claimed webhook. After a crash, another process claims the webhook at its end. */
const LEASE_MS = 10_000;

/** Returns the end of the lease of a webhook that is claimed now. */
export const applyLeaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
