import type { SealContext } from '../../../platform/vault/vault.ts';

/** Where a signing secret lives, for the vault. */
export const secretContext = (merchantAccountId: string, secretId: string): SealContext => ({
  merchantAccountId,
  table: 'webhook_secret',
  column: 'sealed',
  rowId: secretId,
});
