import { actingAs } from '../../../platform/database/acting.ts';
import type { Db } from '../../../platform/database/db.ts';
import { canAccess } from '../model/account-access.ts';
import type { MintedToken } from '../model/minted-token.ts';
import { findMerchantAccountsWithin, findVerifyingKey, recordMinted } from '../store.ts';

/**
 * Records a token in the audit log of each merchant account of the token, in one commit. The entry of a token for every
 * account goes to `default`. The entry names the command and the subject as its actor, and holds no part of the signature.
 * Returns a sentence and records nothing when no request with the token could succeed.
 */
export async function recordMintedToken(
  db: Db,
  command: string,
  minted: MintedToken,
): Promise<string | null> {
  const { kid, merchantAccountId, subject } = minted;
  const key = await findVerifyingKey(db, kid);
  if (!key) return 'The database does not have this key.';
  const reachable = key.merchantAccountIds;
  if (merchantAccountId !== null && !(await isReachable(db, reachable, merchantAccountId)))
    return 'The key has no access to this merchant account.';
  const accounts = merchantAccountId !== null ? [merchantAccountId] : reachable;
  const acting = actingAs({ db }, { kind: 'command', id: command, subject });
  await acting.db.transaction(async (tx) => {
    for (const account of accounts.length > 0 ? accounts : [null])
      await recordMinted(tx, account, key.id, minted);
  });
  return null;
}

async function isReachable(db: Db, access: readonly string[], id: string): Promise<boolean> {
  return canAccess(access, id) && (await findMerchantAccountsWithin(db, access, [id])).length > 0;
}
