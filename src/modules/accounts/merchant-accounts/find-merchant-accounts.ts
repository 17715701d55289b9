import type { App, Viewer } from '../../../app.ts';
import type { MerchantAccount } from '../model/merchant-account.ts';
import { accessOf } from '../model/account-access.ts';
import { findMerchantAccountsWithin } from '../store.ts';

/**
 * Returns merchant accounts in the order of the ids. Null for an unknown account, and for an account that the viewer's
 * token cannot access.
 */
export async function findMerchantAccounts(
  app: App,
  viewer: Pick<Viewer, 'reachableMerchantAccountIds'>,
  ids: readonly string[],
): Promise<readonly (MerchantAccount | null)[]> {
  const found = await findMerchantAccountsWithin(app.db, accessOf(viewer), ids);
  const byId = new Map(found.map((account) => [account.id, account]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Returns true if the viewer's merchant account allows identifiers that look like card numbers. */
export async function allowsCardLikeIdentifiers(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
): Promise<boolean> {
  const [account] = await findMerchantAccountsWithin(app.db, [], [merchantAccountId]);
  return account?.allowsCardLikeIdentifiers ?? false;
}
