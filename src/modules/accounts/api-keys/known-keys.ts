import { LRUCache } from 'lru-cache';
import type { App } from '../../../app.ts';
import { cachePerDatabase } from '../model/cache-per-database.ts';
import { findVerifyingKey, recordLastUse, type VerifyingKey } from '../store.ts';

/**
 * Returns the key of a thumbprint, at most five seconds old. A token is accepted for at most that time after another
 * process disables, expires or changes its key. Null for an unknown key, cached for the same time.
 */
export async function findKey(app: App, thumbprint: string): Promise<VerifyingKey | null> {
  const { keys } = cacheOf(app.db);
  const nowMs = app.clock.now().getTime();
  const known = keys.get(thumbprint);
  // After the clock is set back, an old entry must not look fresh.
  if (known && Math.abs(nowMs - known.readAtMs) < KEY_AGE_MAX_MS) return await known.key;
  // The entry is set before the read ends, so that concurrent requests share one statement.
  const fresh = { readAtMs: nowMs, key: findVerifyingKey(app.db, thumbprint) };
  keys.set(thumbprint, fresh);
  fresh.key.catch(() => {
    if (keys.peek(thumbprint) === fresh) keys.delete(thumbprint);
  });
  return await fresh.key;
}

const KEY_AGE_MAX_MS = 5_000;

/** Drops the cached key, so that this process reads it again. Call the function after the commit of a change. */
export function forgetKey(app: App, thumbprint: string): void {
  cacheOf(app.db).keys.delete(thumbprint);
}

/** Records the use of a key: at most one write a minute for each key and process. */
export async function recordUse(app: App, { id, lastUsedAt }: VerifyingKey): Promise<void> {
  const { usedAtMs } = cacheOf(app.db);
  const minuteMs = Math.floor(app.clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
  if (Math.max(usedAtMs.get(id) ?? 0, lastUsedAt?.getTime() ?? 0) >= minuteMs) return;
  usedAtMs.set(id, minuteMs);
  await recordLastUse(app.db, id, new Date(minuteMs));
}

const MINUTE_MS = 60_000;

/**
 * The size of each cache. One process uses far fewer keys. The size also limits the cache that invented key ids can
 * take.
 */
const KEYS_MAX = 10_000;

type Known = { readonly readAtMs: number; readonly key: Promise<VerifyingKey | null> };

const cacheOf = cachePerDatabase(() => ({
  keys: new LRUCache<string, Known>({ max: KEYS_MAX }),
  usedAtMs: new LRUCache<string, number>({ max: KEYS_MAX }),
}));
