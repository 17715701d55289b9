import type { App } from '../../app.ts';
import type { Tx } from '../../platform/db.ts';
import { recordLinkEvent } from './event.ts';
import {
  nextStatus,
  type PaymentLink,
  type PaymentLinkEvent,
  type PaymentLinkStatus,
} from './payment-link.ts';
import { databaseNow, writeStatus } from './store/links.ts';

/**
 * Lets something happen to a link that is locked, and tells of it, in the caller's transaction: the only writer of a status
 * after the first. Null when the status allows it not; then nothing is written.
 */
export async function changeLink(
  app: App,
  tx: Tx,
  link: PaymentLink,
  event: PaymentLinkEvent,
): Promise<PaymentLink | null> {
  const now = await databaseNow(tx);
  const status = statusAfter(link, event, now);
  if (status === null) return null;
  await writeStatus(tx, link, status, now);
  const changed: PaymentLink = { ...link, status, updatedAt: now };
  await recordLinkEvent(app, tx, 'updated', changed);
  return changed;
}

/** A link that is given back too late to be paid again expires at once. */
function statusAfter(
  { status, expiresAt }: PaymentLink,
  event: PaymentLinkEvent,
  now: Date,
): PaymentLinkStatus | null {
  const after = nextStatus(status, event);
  return event === 'give_back' && after !== null && expiresAt <= now ? nextStatus(after, 'expire') : after;
}
