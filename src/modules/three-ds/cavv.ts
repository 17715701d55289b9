import type { Vault } from '../../platform/vault/vault.ts';

/** The size of a CAVV: 20 bytes are 28 characters of base64. */
const CAVV_BYTES = 20;

/**
 * Returns the sandbox's proof of authentication for a transaction: 28 characters of base64. The proof is always the
 * same for one transaction and cannot be guessed for another. Must not run inside a database transaction, see Vault.
 */
export async function cavvOf(
  vault: Vault,
  merchantAccountId: string,
  transactionId: string,
): Promise<string> {
  // The prefix keeps this digest apart from all other digests of the vault.
  const digest = await vault.fingerprint(merchantAccountId, `cavv of ${transactionId.toLowerCase()}`);
  return Buffer.from(digest, 'hex').subarray(0, CAVV_BYTES).toString('base64');
}
