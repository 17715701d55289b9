import type { App } from '../../app.ts';
import type { Tx } from '../../platform/database/db.ts';
import { recordLinkEvent } from './event.ts';
import {
  nextStatus,
  type PaymentLink,
  type PaymentLinkEvent,
  type PaymentLinkStatus,
} from './payment-link.ts';
import { databaseNow, writeStatus } from './store/links.ts';

/**
 * Applies an event to a locked link and records it, in the caller's transaction. This is the only writer of later
 * statuses. Returns null and writes nothing when the status does not allow the event.
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

/** Returns the status after an event. A link that is given back after its expiry expires at once. */
function statusAfter(
  { status, expiresAt }: PaymentLink,
  event: PaymentLinkEvent,
  now: Date,
): PaymentLinkStatus | null {
  const after = nextStatus(status, event);
  return event === 'give_back' && after !== null && expiresAt <= now ? nextStatus(after, 'expire') : after;
}
