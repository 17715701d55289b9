import type { Vault } from '../../platform/vault/vault.ts';

/** A CAVV has 20 bytes, which are 28 characters of base64. */
const CAVV_BYTES = 20;

/**
 * The sandbox's proof of authentication for a transaction: 28 characters of base64, always the same for one transaction
 * and not to be guessed for another. Not to be called inside a transaction of the database, see Vault.
 */
export async function cavvOf(
  vault: Vault,
  merchantAccountId: string,
  transactionId: string,
): Promise<string> {
  // Words in front, so that it is the digest of nothing else that the house digests.
  const digest = await vault.fingerprint(merchantAccountId, `cavv of ${transactionId.toLowerCase()}`);
  return Buffer.from(digest, 'hex').subarray(0, CAVV_BYTES).toString('base64');
}
