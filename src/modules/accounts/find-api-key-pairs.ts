import type { App, Viewer } from '../../app.ts';
import type { ApiKeyPair } from './api-key-pair.ts';
import { accessOf } from './account-access.ts';
import { findApiKeyPairsWithin } from './store.ts';

/**
 * Returns key pairs in the order of the ids. Null for an unknown pair, and for a pair with more access than the
 * viewer's token.
 */
export async function findApiKeyPairs(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (ApiKeyPair | null)[]> {
  const found = await findApiKeyPairsWithin(app.db, accessOf(viewer), ids);
  const byId = new Map(found.map((pair) => [pair.id, pair]));
  // The database accepts a UUID in either case and returns lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
