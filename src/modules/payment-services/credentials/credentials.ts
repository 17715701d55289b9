import { LRUCache } from 'lru-cache';
import type { Credentials } from '../../../connectors/interface/call-context.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { mergeFields, partFields, type AskedFields, type Field } from '../model/fields.ts';
import { openSecrets, sealSecrets, secretDigest, type SecretOwner } from './secrets.ts';

/** The credentials of a service as stored. Secret fields are sealed as one JSON object, or null without secrets. */
export type SealedCredentials = {
  readonly fields: readonly Field[];
  readonly sealedFields: string | null;
};

/**
 * Splits the credentials of a new service and seals the secret ones. Must not run inside a transaction: the vault may
 * need a connection.
 */
export async function sealCredentials(
  vault: Vault,
  owner: SecretOwner,
  definition: AskedFields,
  given: readonly Field[],
): Promise<SealedCredentials> {
  const { open, secret } = partFields(definition, given);
  return { fields: open, sealedFields: await sealSecrets(vault, owner, secret) };
}

/** Merges credentials over the stored ones. Opens secrets only to merge them with new ones, and seals them again. */
export async function mergeCredentials(
  vault: Vault,
  owner: SecretOwner,
  definition: AskedFields,
  { stored, given }: { readonly stored: SealedCredentials; readonly given: readonly Field[] },
): Promise<SealedCredentials> {
  const { open, secret } = partFields(definition, given);
  const fields = mergeFields(stored.fields, open);
  if (secret.length === 0) return { fields, sealedFields: stored.sealedFields };
  const secrets = mergeFields(await openSecrets(vault, owner, stored.sealedFields), secret);
  return { fields, sealedFields: await sealSecrets(vault, owner, secrets) };
}

/** Returns credentials for the record of an idempotency key, with secrets as keyed digests. */
export async function digestCredentials(
  vault: Vault,
  owner: Omit<SecretOwner, 'id'>,
  definition: AskedFields,
  given: readonly Field[],
): Promise<readonly Field[]> {
  const { secret } = partFields(definition, given);
  const digest = async (field: Field): Promise<Field> =>
    secret.includes(field) ? { ...field, value: await secretDigest(vault, owner, field) } : field;
  return await Promise.all(given.map(digest));
}

/** Opens credentials for a call. The answer is in clear: never store, log or return it. */
export async function openCredentials(
  vault: Vault,
  owner: SecretOwner,
  { fields, sealedFields }: SealedCredentials,
): Promise<Credentials> {
  const secrets = sealedFields === null ? [] : await openCached(vault, owner, sealedFields);
  return Object.fromEntries([...fields, ...secrets].map(({ key, value }) => [key, value]));
}

/**
 * Clear secrets stay in memory for a minute at most. A busy service is then opened once a minute, and an idle one
 * leaves memory.
 */
const CACHE_MS = 60_000;
const CACHE_MAX = 1_000;

const cacheOf: (vault: Vault) => LRUCache<string, readonly Field[]> = oncePer(
  () => new LRUCache({ max: CACHE_MAX, ttl: CACHE_MS, ttlAutopurge: true }),
);

/**
 * Opens sealed fields through a cache. The sealed text is part of the cache key, so a changed secret needs no
 * invalidation.
 */
async function openCached(vault: Vault, owner: SecretOwner, sealed: string): Promise<readonly Field[]> {
  const cache = cacheOf(vault);
  const name = `${owner.table} ${owner.merchantAccountId} ${owner.id} ${sealed}`;
  const known = cache.get(name);
  if (known) return known;
  const secrets = await openSecrets(vault, owner, sealed);
  cache.set(name, secrets);
  return secrets;
}
