import type { Notice } from '../../../connectors/webhook.ts';

/** What a provider told by a webhook, verified, read and stored; it waits until it is matched, or is too old. */
export type InboundWebhook = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly paymentServiceId: string;
  /** A provider's token is not in it. */
  readonly notice: Notice;
  /** The provider's token of a stored payment method; null when it tells none. */
  readonly sealedToken: string | null;
  readonly receivedAt: Date;
};

/** How a webhook ended: it changed something, or changed nothing, or nothing of ours was found in time. */
export type InboundEnd = 'applied' | 'ignored' | 'expired';

/** For how long what nothing is found for is looked for. */
const KEPT_MS = 7 * 24 * 3_600_000;

const FIRST_MS = 1_000;
const LONGEST_MS = 3_600_000;

/** Whether it has waited for so long that nothing will be found any more. */
export const isOver = (now: Date, receivedAt: Date): boolean => now.getTime() >= endOf(receivedAt);

/** When it is looked for again: after as long as it has waited already, 1 s at least and an hour at most; or at its end. */
export function nextMatchAt(now: Date, receivedAt: Date): Date {
  const waitedMs = now.getTime() - receivedAt.getTime();
  const pauseMs = Math.min(Math.max(waitedMs, FIRST_MS), LONGEST_MS);
  return new Date(Math.min(now.getTime() + pauseMs, Math.max(endOf(receivedAt), now.getTime())));
}

const endOf = (receivedAt: Date): number => receivedAt.getTime() + KEPT_MS;

/** While somebody asks the provider about the operation: their answer comes within seconds, and comes first. */
export const whenFree = (now: Date): Date => new Date(now.getTime() + FIRST_MS);

/** For how long whoever takes a webhook up has it; after a crash somebody else takes it up then. */
const LEASE_MS = 10_000;

/** Until when whoever takes a webhook up has it. */
export const applyLeaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
