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
  /** How long one goes on sealing with a version that is the newest no more; CURRENT_FOR_MS unless given. */
  readonly currentForMs?: number;
  /** Whether retired versions open, too: for rotation only, which seals anew what they open. */
  readonly openRetired?: boolean;
};

/** The data keys of all merchant accounts; unwrapped ones stay in memory. */
export type DataKeys = {
  /** The newest version, which seals or digests from now on; made at the first use, once, however many ask at the same time. */
  current(merchantAccountId: string, purpose: Purpose): Promise<DataKey>;
  /** The version of the `data` key that a sealed text names; null when the merchant account has none, or it is retired. */
  byId(merchantAccountId: string, id: string): Promise<DataKey | null>;
};

/** Rotation waits for longer before it retires what was sealed with before. It costs a read for each merchant account. */
export const CURRENT_FOR_MS = 30_000;

/** 10 000 keys are some megabytes; an account that falls out costs one read and one unwrapping. */
const CACHE_MAX = 10_000;
const KEY_BYTES = 32;

/** Reads and makes data keys; nothing is read before the first use. */
export function createDataKeys(settings: DataKeySettings): DataKeys {
  const { currentForMs = CURRENT_FOR_MS } = settings;
  // 0 would be for ever to the cache.
  const currents = remember(
    new LRUCache<string, Promise<DataKey>>({ max: CACHE_MAX, ttl: currentForMs || 1 }),
  );
  const unwrapped = remember(new LRUCache<string, Promise<DataKey>>({ max: CACHE_MAX }));
  // A space is in no merchant account id.
  const unwrapOnce = (row: DataKeyRow): Promise<DataKey> =>
    unwrapped(`${row.merchantAccountId} ${row.purpose} ${row.id}`, () => unwrap(settings.keys, row));
  return {
    current: (merchantAccountId, purpose) =>
      currents(`${merchantAccountId} ${purpose}`, async () =>
        unwrapOnce(await loadOrMake(settings, merchantAccountId, purpose)),
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

/** Promises are kept, so that look-ups of one key at the same time share one read; one that fails is forgotten. */
function remember<Value extends object>(cache: LRUCache<string, Promise<Value>>) {
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

async function loadOrMake(
  settings: DataKeySettings,
  merchantAccountId: string,
  purpose: Purpose,
): Promise<DataKeyRow> {
  const { db, clock } = settings;
  const found = await findCurrentDataKey(db, { merchantAccountId, purpose });
  if (found) return found;
  const made = await makeDataKey(settings, { merchantAccountId, purpose, version: 1 });
  await insertDataKey(db, made, { rotationId: null, createdAt: clock.now() });
  // Somebody else's key may have been first; the stored one counts.
  const stored = await findCurrentDataKey(db, { merchantAccountId, purpose });
  if (!stored) throw new Error('A data key was stored but cannot be read.');
  return stored;
}

/** A new data key, wrapped and not stored yet. */
export async function makeDataKey(
  { keys, ids }: Pick<DataKeySettings, 'keys' | 'ids'>,
  given: Pick<DataKeyRow, 'merchantAccountId' | 'purpose' | 'version'>,
): Promise<DataKeyRow> {
  const row = { ...given, id: ids.uuid(), retiredAt: null };
  return { ...row, ...(await keys.wrap(ids.random(KEY_BYTES), placeOf(row))) };
}

/** The same data key, wrapped by the current key-encryption key. */
export async function rewrapDataKey(keys: KeyProvider, row: DataKeyRow): Promise<DataKeyRow> {
  const place = placeOf(row);
  return { ...row, ...(await keys.wrap(await keys.unwrap(row, place), place)) };
}

async function unwrap(keys: KeyProvider, row: DataKeyRow): Promise<DataKey> {
  return { id: row.id, key: createSecretKey(await keys.unwrap(row, placeOf(row))) };
}

const placeOf = ({
  merchantAccountId,
  id,
  purpose,
}: Pick<DataKeyRow, 'merchantAccountId' | 'id' | 'purpose'>) =>
  ['data_key', merchantAccountId, id, purpose] as const;
