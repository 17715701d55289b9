import type { App } from '../../../app.ts';
import type { StoredWebhook } from './webhook.ts';
import { insertWebhook } from './insert-webhook.sql.ts';
import { sealToken } from './sealed-token.ts';

/** A notice before it is stored. `waitsSince`: absent for a notice that was read when it came. */
type Given = Omit<StoredWebhook, 'id' | 'sealedToken' | 'waitsSince'> &
  Partial<Pick<StoredWebhook, 'waitsSince'>>;

/**
 * Stores one notice, with its token sealed apart. The loop applies the notice at `nextAttemptAt`. Null when the payment
 * service has the notice already. Commits once.
 */
export async function storeNotice(
  app: App,
  { notice, ...given }: Given,
  nextAttemptAt: Date,
): Promise<StoredWebhook | null> {
  const id = app.ids.uuid();
  const apart = await sealToken(app.vault, { merchantAccountId: given.merchantAccountId, id }, notice);
  const webhook = { waitsSince: given.receivedAt, ...given, id, ...apart };
  return (await insertWebhook(app.db, webhook, nextAttemptAt)) ? webhook : null;
}
