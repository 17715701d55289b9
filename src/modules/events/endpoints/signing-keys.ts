import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { SealedSecret } from './endpoints.sql.ts';
import { secretContext } from './secrets.ts';
import { signingKey } from './sign.ts';

/** Opened keys stay in memory for a minute at most, as opened credentials of a payment service do. */
const KEPT_MS = 60_000;

/** Opened keys by merchant account and sealed text. A sealed text never changes its secret, so no entry becomes wrong. */
const keysOf: (vault: Vault) => LRUCache<string, KeyObject> = oncePer(
  () => new LRUCache<string, KeyObject>({ max: 1_000, ttl: KEPT_MS, ttlAutopurge: true }),
);

/** Opens the key of a signing secret. Throws when the sealed text was changed or belongs to another merchant account. */
export async function openSigningKey(
  vault: Vault,
  merchantAccountId: string,
  { id, sealed }: SealedSecret,
): Promise<KeyObject> {
  const keys = keysOf(vault);
  const name = `${merchantAccountId} ${id} ${sealed}`;
  const known = keys.get(name);
  if (known) return known;
  const opened = signingKey(await vault.open(secretContext(merchantAccountId, id), sealed));
  keys.set(name, opened);
  return opened;
}
