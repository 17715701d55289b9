import type { SealContext } from '../../../platform/vault/vault.ts';

/** Returns the place of a signing secret, for the vault. */
export const secretContext = (merchantAccountId: string, secretId: string): SealContext => ({
  merchantAccountId,
  table: 'webhook_secret',
  column: 'sealed',
  rowId: secretId,
});
