import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { rememberedWith } from './cache-per-database.ts';
import { findVerifyingKey, noteLastUse, type VerifyingKey } from './store.ts';

/**
 * The key of a thumbprint, at most five seconds old: so long may a token still be accepted whose key was disabled, expired
 * or changed through another process. Null when there is none, which is remembered as long.
 */
export async function findKey(app: App, thumbprint: string): Promise<VerifyingKey | null> {
  const { keys } = memoryOf(app.db);
  const nowMs = app.clock.now().getTime();
  const known = keys.get(thumbprint);
  // A clock that was put back must not make an old answer young.
  if (known && Math.abs(nowMs - known.readAtMs) < KEY_AGE_MAX_MS) return await known.key;
  // Kept before it is read, so that requests that come together make one statement.
  const fresh = { readAtMs: nowMs, key: findVerifyingKey(app.db, thumbprint) };
  keys.set(thumbprint, fresh);
  fresh.key.catch(() => {
    if (keys.peek(thumbprint) === fresh) keys.delete(thumbprint);
  });
  return await fresh.key;
}

const KEY_AGE_MAX_MS = 5_000;

/** Makes this process read the key again. Call it after the commit that changed it. */
export function forgetKey(app: App, thumbprint: string): void {
  memoryOf(app.db).keys.delete(thumbprint);
}

/** Notes that a token of the key was accepted: at most one write a minute for each key and process. */
export async function noteUse(app: App, { id, lastUsedAt }: VerifyingKey): Promise<void> {
  const { usedAtMs } = memoryOf(app.db);
  const minuteMs = Math.floor(app.clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
  if (Math.max(usedAtMs.get(id) ?? 0, lastUsedAt?.getTime() ?? 0) >= minuteMs) return;
  usedAtMs.set(id, minuteMs);
  await noteLastUse(app.db, id, new Date(minuteMs));
}

const MINUTE_MS = 60_000;

/** Far more keys than one process serves at a time, and a bound on what made-up key ids can occupy. */
const KEYS_MAX = 10_000;

type Known = { readonly readAtMs: number; readonly key: Promise<VerifyingKey | null> };

const memoryOf = rememberedWith(() => ({
  keys: new LRUCache<string, Known>({ max: KEYS_MAX }),
  usedAtMs: new LRUCache<string, number>({ max: KEYS_MAX }),
}));
