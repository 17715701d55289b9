import type { App } from '../../../app.ts';
import type { StoredWebhook } from './webhook.ts';
import { insertWebhook } from './insert-webhook.sql.ts';
import { sealToken } from './sealed-token.ts';

/**
 * Stores one event of a provider, with its token sealed apart. The loop applies the event at `nextAttemptAt`. Null when the
 * payment service has the event already. Commits once.
 */
export async function storeNotice(
  app: App,
  { notice, ...given }: Omit<StoredWebhook, 'id' | 'sealedToken'>,
  nextAttemptAt: Date,
): Promise<StoredWebhook | null> {
  const id = app.ids.uuid();
  const apart = await sealToken(app.vault, { merchantAccountId: given.merchantAccountId, id }, notice);
  const webhook = { ...given, id, ...apart };
  return (await insertWebhook(app.db, webhook, nextAttemptAt)) ? webhook : null;
}
