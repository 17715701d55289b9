import { LRUCache } from 'lru-cache';
import type { Credentials } from '../../connectors/call-context.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { mergeFields, partFields, type AskedFields, type Field } from './fields.ts';
import { openSecrets, sealSecrets, secretDigest, type SecretOwner } from './secrets.ts';

/** The credentials of a service as they are kept: the secret ones sealed as one JSON object; null when there is none. */
export type SealedCredentials = {
  readonly fields: readonly Field[];
  readonly sealedFields: string | null;
};

/** Parts the credentials of a new service and seals the secret ones. Not inside a transaction: the vault may need a connection. */
export async function sealCredentials(
  vault: Vault,
  owner: SecretOwner,
  definition: AskedFields,
  given: readonly Field[],
): Promise<SealedCredentials> {
  const { open, secret } = partFields(definition, given);
  return { fields: open, sealedFields: await sealSecrets(vault, owner, secret) };
}

/** Merges credentials over stored ones. Secrets are opened only to be merged with new ones, and sealed again. */
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

/** Credentials as an idempotency key remembers them: secrets as keyed digests. */
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

/** Opens credentials for a call. The answer is in clear: it must not be stored, logged or returned. */
export async function openCredentials(
  vault: Vault,
  owner: SecretOwner,
  { fields, sealedFields }: SealedCredentials,
): Promise<Credentials> {
  const secrets = sealedFields === null ? [] : await openCached(vault, owner, sealedFields);
  return Object.fromEntries([...fields, ...secrets].map(({ key, value }) => [key, value]));
}

/** Clear secrets are kept a minute at most, so that a busy service is opened once and an idle one is not in memory. */
const CACHE_MS = 60_000;
const CACHE_MAX = 1_000;

type OpenCache = LRUCache<string, readonly Field[]>;

const caches = new WeakMap<Vault, OpenCache>();

/** The sealed text is a part of the name: a changed secret is another entry, and nothing has to be forgotten in time. */
async function openCached(vault: Vault, owner: SecretOwner, sealed: string): Promise<readonly Field[]> {
  const cache = cacheOf(vault);
  const name = `${owner.table} ${owner.merchantAccountId} ${owner.id} ${sealed}`;
  const known = cache.get(name);
  if (known) return known;
  const secrets = await openSecrets(vault, owner, sealed);
  cache.set(name, secrets);
  return secrets;
}

function cacheOf(vault: Vault): OpenCache {
  const known = caches.get(vault);
  if (known) return known;
  const cache: OpenCache = new LRUCache({ max: CACHE_MAX, ttl: CACHE_MS, ttlAutopurge: true });
  caches.set(vault, cache);
  return cache;
}
