import type { App, Viewer } from '../../../app.ts';
import { inOrderOf } from '../../../platform/ids.ts';
import type { ApiKeyPair } from '../model/api-key-pair.ts';
import { accessOf } from '../model/account-access.ts';
import { findApiKeyPairsWithin } from '../store.ts';

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
  return inOrderOf(ids, found);
}
