import type { App, Viewer } from '../../../app.ts';
import type { Buyer } from '../model/buyer.ts';
import { findBuyersByIds } from '../store/buyers.ts';

/** Returns buyers in the order of the ids. Unknown and deleted buyers are null. */
export async function findBuyers(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  ids: readonly string[],
): Promise<readonly (Buyer | null)[]> {
  const found = await findBuyersByIds(app.db, viewer.merchantAccountId, ids);
  const byId = new Map(found.map((buyer) => [buyer.id, buyer]));
  // Postgres accepts a UUID in either case and returns lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
