import type { App, Viewer } from '../../../app.ts';
import type { Buyer } from '../buyer.ts';
import { findBuyersByIds } from '../store/buyers.ts';

/** Buyers in the order of the ids; null where the merchant account has none of the id, or no more. */
export async function findBuyers(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  ids: readonly string[],
): Promise<readonly (Buyer | null)[]> {
  const found = await findBuyersByIds(app.db, viewer.merchantAccountId, ids);
  const byId = new Map(found.map((buyer) => [buyer.id, buyer]));
  // The database takes a UUID in either case and answers in lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
