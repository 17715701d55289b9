import { createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { isUuid, type Ids } from '../ids.ts';
import type { KeyProvider } from './key-provider.ts';
import { findCurrentDataKey, findDataKey, insertDataKey, type DataKeyRow, type Purpose } from './store.ts';

/** A data key in clear. */
export type DataKey = { readonly id: string; readonly key: KeyObject };

export type DataKeySettings = {
  readonly db: Db;
  readonly keys: KeyProvider;
  readonly ids: Ids;
  readonly clock: Clock;
};

/** The data keys of all merchant accounts; unwrapped ones stay in memory. */
export type DataKeys = {
  /** The key that seals or digests from now on; made at its first use, once, however many ask at the same time. */
  current(merchantAccountId: string, purpose: Purpose): Promise<DataKey>;
  /** The `data` key that a sealed text names; throws when the merchant account has none of this id. */
  byId(merchantAccountId: string, id: string): Promise<DataKey>;
};

/** 10 000 keys are some megabytes; an account that falls out costs one read and one unwrapping. */
const CACHE_MAX = 10_000;
const KEY_BYTES = 32;

/** Reads and makes data keys; nothing is read before the first use. */
export function createDataKeys(settings: DataKeySettings): DataKeys {
  // Promises are kept, so that look-ups of one key at the same time share one read.
  const cache = new LRUCache<string, Promise<DataKey>>({ max: CACHE_MAX });
  const remember = (name: string, load: () => Promise<DataKey>): Promise<DataKey> => {
    const known = cache.get(name);
    if (known) return known;
    const loading = load();
    cache.set(name, loading);
    loading.catch(() => cache.delete(name));
    return loading;
  };
  // A space is in no merchant account id.
  return {
    current: (merchantAccountId, purpose) =>
      remember(`${merchantAccountId} ${purpose}`, async () => {
        const dataKey = await loadOrMake(settings, merchantAccountId, purpose);
        // What is sealed now is opened soon.
        if (purpose === 'data') cache.set(`${merchantAccountId} ${dataKey.id}`, Promise.resolve(dataKey));
        return dataKey;
      }),
    byId: (merchantAccountId, id) =>
      remember(`${merchantAccountId} ${id}`, () => loadById(settings, merchantAccountId, id)),
  };
}

async function loadOrMake(
  settings: DataKeySettings,
  merchantAccountId: string,
  purpose: Purpose,
): Promise<DataKey> {
  const { db, clock } = settings;
  const found = await findCurrentDataKey(db, { merchantAccountId, purpose });
  if (found) return await unwrap(settings.keys, found);
  await insertDataKey(db, await makeRow(settings, merchantAccountId, purpose), clock.now());
  // Somebody else's key may have been first; the stored one counts.
  const stored = await findCurrentDataKey(db, { merchantAccountId, purpose });
  if (!stored) throw new Error('A data key was stored but cannot be read.');
  return await unwrap(settings.keys, stored);
}

async function loadById(
  { db, keys }: DataKeySettings,
  merchantAccountId: string,
  id: string,
): Promise<DataKey> {
  const row = isUuid(id) ? await findDataKey(db, { merchantAccountId, id }) : null;
  if (row?.purpose !== 'data')
    throw new Error('A sealed value names a data key that its merchant account does not have.');
  return await unwrap(keys, row);
}

async function makeRow(
  { keys, ids }: DataKeySettings,
  merchantAccountId: string,
  purpose: Purpose,
): Promise<DataKeyRow> {
  const row = { merchantAccountId, id: ids.uuid(), purpose, keyEncryptionKey: keys.currentKeyId };
  return { ...row, wrapped: await keys.wrap(ids.random(KEY_BYTES), placeOf(row)) };
}

async function unwrap(keys: KeyProvider, row: DataKeyRow): Promise<DataKey> {
  const clear = await keys.unwrap(row.keyEncryptionKey, row.wrapped, placeOf(row));
  return { id: row.id, key: createSecretKey(clear) };
}

const placeOf = ({ merchantAccountId, id, purpose }: Omit<DataKeyRow, 'wrapped'>): readonly string[] => [
  'data_key',
  merchantAccountId,
  id,
  purpose,
];
