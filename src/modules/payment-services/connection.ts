import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import type { Connector, Credentials, Definition } from '../../connectors/connector.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { findProvider } from './definitions.ts';
import type { Field } from './fields.ts';
import { openSecrets, type SecretOwner } from './secrets.ts';
import type { ConnectionRow } from './store.ts';

/** All that a call of a provider needs. The credentials are in clear: for one call, never stored, logged or returned. */
export type Connection = {
  readonly definition: Definition;
  readonly connector: Connector;
  readonly credentials: Credentials;
};

/**
 * Opens a payment service for a call, also a deleted one, whose transactions still have to be captured and refunded.
 * Throws when no connector has its definition.
 */
export async function connectionOf(
  app: Pick<App, 'vault' | 'connectors'>,
  merchantAccountId: string,
  row: ConnectionRow,
): Promise<Connection> {
  const provider = findProvider(app, row.definitionId);
  if (!provider) throw new Error(`No connector has the definition ${row.definitionId}.`);
  const owner = { merchantAccountId, id: row.id };
  const secrets = row.sealedFields === null ? [] : await openCached(app.vault, owner, row.sealedFields);
  const credentials = Object.fromEntries([...row.fields, ...secrets].map(({ key, value }) => [key, value]));
  return { ...provider, credentials };
}

/** Clear secrets are kept a minute at most, so that a busy service is opened once and an idle one is not in memory. */
const CACHE_MS = 60_000;
const CACHE_MAX = 1_000;

type OpenCache = LRUCache<string, readonly Field[]>;

const caches = new WeakMap<Vault, OpenCache>();

/** The sealed text is a part of the name: a changed secret is another entry, and nothing has to be forgotten in time. */
async function openCached(vault: Vault, owner: SecretOwner, sealed: string): Promise<readonly Field[]> {
  const cache = cacheOf(vault);
  const name = `${owner.merchantAccountId} ${owner.id} ${sealed}`;
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
