import type { App, Viewer } from '../../app.ts';
import type { Tx } from '../../platform/db.ts';
import { recordEvent, type EventName } from '../event-log/index.ts';
import type { ApiKeyPair } from './api-key-pair.ts';

/**
 * Tells of a change of a key pair, in the transaction of the change: each merchant account that the key is limited to, and
 * for a key of every account the one in which it was asked for, because such a key belongs to the instance, which has no
 * feed. Names no other account that the key reaches.
 */
export async function recordKeyEvent(
  { ids, config }: App,
  tx: Tx,
  viewer: Viewer,
  name: Extract<EventName, `api-key-pair.${string}`>,
  pair: ApiKeyPair,
): Promise<void> {
  const accounts = pair.merchantAccountIds.length > 0 ? pair.merchantAccountIds : [viewer.merchantAccountId];
  const { production } = config;
  for (const merchantAccountId of accounts) {
    const event = { merchantAccountId, id: ids.uuid(), name, createdAt: pair.updatedAt, production };
    await recordEvent(tx, { ...event, target: shortForm(pair) });
  }
}

/** Of the key there is only its public half, which is nobody's secret and still not told. */
const shortForm = (pair: ApiKeyPair) => ({
  type: 'api-key-pair',
  id: pair.id,
  display_name: pair.displayName,
  active: pair.active,
  scopes: pair.scopes,
  expires_at: pair.expiresAt?.toISOString() ?? null,
  created_at: pair.createdAt.toISOString(),
  updated_at: pair.updatedAt.toISOString(),
});
