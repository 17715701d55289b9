import type { App, Viewer } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent, type NameOf, type Target } from '../../event-log/index.ts';
import type { ApiKeyPair } from '../model/api-key-pair.ts';

/**
 * Records a change of a key pair in the transaction of the change. Each merchant account of the key gets an event. A
 * key for every account belongs to the instance, which has no feed. Its event goes to the account of the request. No
 * event names another account of the key.
 */
export async function recordKeyEvent(
  { ids, config }: App,
  tx: Tx,
  viewer: Viewer,
  name: NameOf<'api-key-pair'>,
  pair: ApiKeyPair,
): Promise<void> {
  const accounts = pair.merchantAccountIds.length > 0 ? pair.merchantAccountIds : [viewer.merchantAccountId];
  const { production } = config;
  for (const merchantAccountId of accounts) {
    const event = { merchantAccountId, id: ids.uuid(), name, createdAt: pair.updatedAt, production };
    await recordEvent(tx, { ...event, target: shortForm(pair) });
  }
}

/** Returns the target of the event. The target leaves the public key out too. */
const shortForm = (pair: ApiKeyPair): Target<'api-key-pair'> => ({
  type: 'api-key-pair',
  id: pair.id,
  display_name: pair.displayName,
  active: pair.active,
  scopes: pair.scopes,
  expires_at: pair.expiresAt?.toISOString() ?? null,
  created_at: pair.createdAt.toISOString(),
  updated_at: pair.updatedAt.toISOString(),
});
