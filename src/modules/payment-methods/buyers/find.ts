import type { App, Viewer } from '../../../app.ts';
import { inOrderOf } from '../../../platform/ids.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import type { Buyer } from '../model/buyer.ts';
import { findBuyersByExternalIdentifiers, findBuyersByIds } from '../store/buyers/buyers.ts';

/** Returns buyers with the fields of `columns` in the order of the ids. Unknown and deleted buyers are null. */
export async function findBuyers(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  ids: readonly string[],
  columns: LineOrWhole = 'whole',
): Promise<readonly (Buyer | null)[]> {
  const found = await findBuyersByIds(app.db, viewer.merchantAccountId, ids, columns);
  return inOrderOf(ids, found);
}

/** Returns buyers in the order of the merchant's own identifiers. Null for an unknown identifier. */
export async function findBuyersByExternalIdentifier(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  identifiers: readonly string[],
): Promise<readonly (Buyer | null)[]> {
  const found = await findBuyersByExternalIdentifiers(app.db, merchantAccountId, identifiers);
  const byIdentifier = new Map(found.map((buyer) => [buyer.externalIdentifier, buyer]));
  return identifiers.map((identifier) => byIdentifier.get(identifier) ?? null);
}
