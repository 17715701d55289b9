import type { JWK } from 'jose';
import type { App } from '../../../app.ts';
import { cachePerDatabase } from '../model/cache-per-database.ts';
import { JOSE_ALGORITHM } from '../model/key-material.ts';
import { findUsableKeys } from '../store.ts';

/** A JSON Web Key Set (RFC 7517). */
export type KeySet = { readonly keys: readonly JWK[] };

/**
 * Returns the public keys of all API key pairs that are active and not expired, at most five seconds old. Concurrent calls
 * share one statement.
 */
export async function listPublicKeys(app: App): Promise<KeySet> {
  const cache = cacheOf(app.db);
  const nowMs = app.clock.now().getTime();
  // After the clock is set back, an old answer must not look fresh.
  if (cache.latest && Math.abs(nowMs - cache.latest.readAtMs) < AGE_MAX_MS) return await cache.latest.keys;
  const fresh = { readAtMs: nowMs, keys: read(app) };
  cache.latest = fresh;
  fresh.keys.catch(() => {
    if (cache.latest === fresh) cache.latest = null;
  });
  return await fresh.keys;
}

async function read({ readDb, clock }: App): Promise<KeySet> {
  const found = await findUsableKeys(readDb, clock.now());
  return {
    keys: found.map(({ jwk, algorithm, thumbprint }) => ({
      ...jwk,
      kid: thumbprint,
      alg: JOSE_ALGORITHM[algorithm],
      use: 'sig',
    })),
  };
}

const AGE_MAX_MS = 5_000;

type Cache = { latest: { readonly readAtMs: number; readonly keys: Promise<KeySet> } | null };

const cacheOf = cachePerDatabase((): Cache => ({ latest: null }));
