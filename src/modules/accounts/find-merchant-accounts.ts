import type { App, Viewer } from '../../app.ts';
import type { MerchantAccount } from './merchant-account.ts';
import { reachOf } from './account-access.ts';
import { findMerchantAccountsWithin } from './store.ts';

/** Merchant accounts in the order of the ids; null where there is none or the viewer's token does not reach it. */
export async function findMerchantAccounts(
  app: App,
  viewer: Pick<Viewer, 'reachableMerchantAccountIds'>,
  ids: readonly string[],
): Promise<readonly (MerchantAccount | null)[]> {
  const found = await findMerchantAccountsWithin(app.db, reachOf(viewer), ids);
  const byId = new Map(found.map((account) => [account.id, account]));
  return ids.map((id) => byId.get(id) ?? null);
}
