import type { App, Viewer } from '../../../app.ts';
import { hasMaskedId, isMasked } from '../../../connectors/reading/masked-part.ts';
import { readPart, type PartReading } from '../../../connectors/reading/read-webhook.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { environmentOf } from '../../../platform/process/config.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { isUuid } from '../../../platform/ids.ts';
import { findServiceReceiver } from '../../payment-services/index.ts';
import { applyLeaseUntil } from '../notices/schedule.ts';
import { lookUpsOf } from '../named/look-up.ts';
import { noteReported } from '../named/note-reported.ts';
import { storeNotice } from '../notices/store-notice.ts';
import type { StoredWebhook } from '../notices/webhook.ts';
import { openContent } from '../unread/content.ts';
import { leaveUnread, readUnread, removeUnread } from '../unread/unread.sql.ts';
import { expiresAtOf, type StoredUnread, type UnreadWebhook } from '../unread/unread-webhook.ts';
import { applyReceived } from './loop.ts';

/** The result of another reading of an unread webhook. */
export type AppliedUnread = {
  /** The number of notices that were new, and are applied. */
  readonly applied: number;
  /** The number of notices that Paygraph had already. They change nothing. */
  readonly known: number;
  /** The webhook, if it is still not read wholly. */
  readonly left: UnreadWebhook | null;
};

/**
 * Reads an unread webhook again, by the present reader and settings. Applies its notices like those of a new webhook. The
 * signature was checked when the webhook came, so neither signature nor time is checked again.
 *
 * Commits each notice once, applies them, then removes the row or records the reading. After a crash between, the loop applies
 * the stored notices, and a repeat finds them known. Two readings at once apply each notice once.
 *
 * Refuses an unknown id, and a webhook that came more than a week ago.
 */
export async function applyUnreadWebhook(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<AppliedUnread, NotFound>> {
  const found = isUuid(id) ? await readUnread(app.db, merchantAccountId, id) : null;
  const now = app.clock.now();
  if (!found || expiresAtOf(found) <= now) return refuse(notFound('unread webhook'));
  const { notices, reason } = await readAgain(app, found);
  const stored: StoredWebhook[] = [];
  for (const notice of notices) {
    // A refusal from before a repeat of its operation does not decide the repeat, so the arrival stays. The wait for what the
    // notice is about begins now.
    const { paymentServiceId, receivedAt } = found;
    const given = { merchantAccountId, paymentServiceId, notice, receivedAt, waitsSince: now };
    const webhook = await storeNotice(app, given, applyLeaseUntil(now));
    if (webhook) stored.push(webhook);
  }
  await failpoint('unread.stored');
  await applyReceived(app, stored);
  const told = { applied: stored.length, known: notices.length - stored.length };
  if (reason !== null) return ok({ ...told, left: await leaveUnread(app.db, found, { reason, now }) });
  await removeUnread(app.db, found);
  return ok({ ...told, left: null });
}

/**
 * Reads the content, and notes the payments to look up. A notice whose id was masked as a possible card number cannot be applied.
 */
async function readAgain(app: App, found: StoredUnread): Promise<Omit<PartReading, 'lookUps'>> {
  const receiver = await findServiceReceiver(app, found.merchantAccountId, found.paymentServiceId);
  if (!receiver) return { notices: [], reason: found.reason };
  const { connector, definition, credentials } = receiver.connection;
  const content = await openContent(app, found);
  const environment = environmentOf(app.config);
  const read = readPart(connector, content, { credentials, definition, environment }, app.log);
  await noteReported(app, lookUpsOf(receiver, read.lookUps));
  const notices = read.notices.filter((notice) => !hasMaskedId(notice));
  const isPartial = notices.length < read.notices.length || (notices.length === 0 && isMasked(content));
  return { notices, reason: read.reason ?? (isPartial ? 'unusable_notice' : null) };
}
