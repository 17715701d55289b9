import type { App, Viewer } from '../../app.ts';
import type { ApiKeyPair } from './api-key-pair.ts';
import { reachOf } from './account-access.ts';
import { findApiKeyPairsWithin } from './store.ts';

/** Key pairs in the order of the ids; null where there is none or it reaches further than the viewer's token. */
export async function findApiKeyPairs(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (ApiKeyPair | null)[]> {
  const found = await findApiKeyPairsWithin(app.db, reachOf(viewer), ids);
  const byId = new Map(found.map((pair) => [pair.id, pair]));
  // The database takes a UUID in either case and answers in lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
