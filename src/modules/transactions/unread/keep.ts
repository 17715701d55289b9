import type { App } from '../../../app.ts';
import { maskPart } from '../../../connectors/reading/masked-part.ts';
import type { UnreadPart } from '../../../connectors/reading/read-webhook.ts';
import { sealContent } from './content.ts';
import { keepRow } from './unread.sql.ts';
import type { UnreadWebhook } from './unread-webhook.ts';

/** The payment service of a webhook, and the moment at which the webhook came. */
export type UnreadOwner = Pick<
  UnreadWebhook,
  'merchantAccountId' | 'paymentServiceId' | 'provider' | 'receivedAt'
>;

/**
 * Keeps a signed part that was not read, for a week: sealed, and without card numbers. The same content again is counted on its
 * row. Commits once. A crash before leaves nothing, and the provider sends the webhook again.
 */
export async function keepUnread(app: App, owner: UnreadOwner, { part, reason }: UnreadPart): Promise<void> {
  const { merchantAccountId, paymentServiceId, provider } = owner;
  const id = app.ids.uuid();
  const content = maskPart(part);
  const [digest, sealedBody] = await Promise.all([
    app.vault.fingerprint(merchantAccountId, content),
    sealContent(app, { merchantAccountId, id }, content),
  ]);
  const row = { ...owner, id, reason, times: 1, appliedAt: null, digest, sealedBody };
  const removed = await keepRow(app.db, row);
  const about = { merchantAccountId, paymentServiceId, provider, reason };
  app.log.warn(about, 'A part of a webhook could not be read. The part is kept: see unreadWebhooks.');
  if (removed > 0)
    app.log.error(
      { ...about, removed },
      'A payment service has too many unread webhooks. The oldest were removed.',
    );
}
