import { createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { isUuid, type Ids } from '../ids.ts';
import type { KeyProvider } from './master-key/key-provider.ts';
import { findCurrentDataKey, findDataKey, insertDataKey, type DataKeyRow, type Purpose } from './store.ts';

/** A data key in clear. */
export type DataKey = { readonly id: string; readonly key: KeyObject };

export type DataKeySettings = {
  readonly db: Db;
  readonly keys: KeyProvider;
  readonly ids: Ids;
  readonly clock: Clock;
  /** The time for which an outdated version may still seal. The default is CURRENT_FOR_MS. */
  readonly currentForMs?: number;
  /** True if retired versions open too. Only for a rotation, which seals their values again. */
  readonly openRetired?: boolean;
};

/** The data keys of all merchant accounts. Unwrapped keys stay in memory. */
export type DataKeys = {
  /**
   * Returns the newest version, which seals or digests from now on. The first use creates it, once for all concurrent
   * callers.
   */
  current(merchantAccountId: string, purpose: Purpose): Promise<DataKey>;
  /**
   * Returns the version of the `data` key that a sealed text names. Null when the merchant account has none, or when
   * the version is retired.
   */
  byId(merchantAccountId: string, id: string): Promise<DataKey | null>;
};

/**
 * The time for which the current version is cached. A rotation waits longer before it retires earlier versions. Each
 * expiry costs a read for each merchant account.
 */
export const CURRENT_FOR_MS = 30_000;

/** The size of each cache. 10 000 keys are some megabytes. An evicted account costs one read and one unwrapping. */
const CACHE_MAX = 10_000;
const KEY_BYTES = 32;

/** Creates the data keys of a database. Reads nothing before the first use. */
export function createDataKeys(settings: DataKeySettings): DataKeys {
  const { currentForMs = CURRENT_FOR_MS } = settings;
  // The cache would read 0 as for ever.
  const currents = cachePromises(
    new LRUCache<string, Promise<DataKey>>({ max: CACHE_MAX, ttl: currentForMs || 1 }),
  );
  const unwrapped = cachePromises(new LRUCache<string, Promise<DataKey>>({ max: CACHE_MAX }));
  // No merchant account id holds a space.
  const unwrapOnce = (row: DataKeyRow): Promise<DataKey> =>
    unwrapped(`${row.merchantAccountId} ${row.purpose} ${row.id}`, () => unwrapDataKey(settings.keys, row));
  return {
    current: (merchantAccountId, purpose) =>
      currents(`${merchantAccountId} ${purpose}`, async () =>
        unwrapOnce(await loadOrCreate(settings, merchantAccountId, purpose)),
      ),
    byId: async (merchantAccountId, id) => {
      const known = unwrapped(`${merchantAccountId} data ${id}`, null);
      if (known) return await known;
      const row = isUuid(id) ? await findDataKey(settings.db, { merchantAccountId, id }) : null;
      if (row?.purpose !== 'data' || (row.retiredAt && !settings.openRetired)) return null;
      return await unwrapOnce(row);
    },
  };
}

/**
 * Returns a look-up that caches promises, so that concurrent look-ups of a key share one read. A failed read is
 * dropped.
 */
function cachePromises<Value extends object>(cache: LRUCache<string, Promise<Value>>) {
  function look(name: string, load: () => Promise<Value>): Promise<Value>;
  function look(name: string, load: null): Promise<Value> | undefined;
  function look(name: string, load: (() => Promise<Value>) | null): Promise<Value> | undefined {
    const known = cache.get(name);
    if (known || !load) return known;
    const loading = load();
    cache.set(name, loading);
    loading.catch(() => cache.delete(name));
    return loading;
  }
  return look;
}

async function loadOrCreate(
  settings: DataKeySettings,
  merchantAccountId: string,
  purpose: Purpose,
): Promise<DataKeyRow> {
  const { db, clock } = settings;
  const found = await findCurrentDataKey(db, { merchantAccountId, purpose });
  if (found) return found;
  const created = await createDataKey(settings, { merchantAccountId, purpose, version: 1 });
  await insertDataKey(db, created, { rotationId: null, createdAt: clock.now() });
  // Another process may have inserted first. The stored key counts.
  const stored = await findCurrentDataKey(db, { merchantAccountId, purpose });
  if (!stored) throw new Error('A data key was stored but cannot be read.');
  return stored;
}

/** Creates a data key, wrapped and not yet stored. */
export async function createDataKey(
  { keys, ids }: Pick<DataKeySettings, 'keys' | 'ids'>,
  given: Pick<DataKeyRow, 'merchantAccountId' | 'purpose' | 'version'>,
): Promise<DataKeyRow> {
  const row = { ...given, id: ids.uuid(), retiredAt: null };
  return { ...row, ...(await keys.wrap(ids.random(KEY_BYTES), placeOf(row))) };
}

/** Wraps the same data key with the current key-encryption key. */
export async function rewrapDataKey(keys: KeyProvider, row: DataKeyRow): Promise<DataKeyRow> {
  const place = placeOf(row);
  return { ...row, ...(await keys.wrap(await keys.unwrap(row, place), place)) };
}

/** Unwraps a data key. Throws when no configured key opens the data key. */
export async function unwrapDataKey(keys: KeyProvider, row: DataKeyRow): Promise<DataKey> {
  return { id: row.id, key: createSecretKey(await keys.unwrap(row, placeOf(row))) };
}

const placeOf = ({
  merchantAccountId,
  id,
  purpose,
}: Pick<DataKeyRow, 'merchantAccountId' | 'id' | 'purpose'>) =>
  ['data_key', merchantAccountId, id, purpose] as const;
