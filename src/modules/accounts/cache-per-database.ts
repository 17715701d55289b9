import { originOf } from '../../platform/acting.ts';
import type { Db } from '../../platform/db.ts';

/**
 * Returns a function that gives each database a cache of its own, created at the first use. Two services in one process
 * therefore share no cache. The cache is freed with the database.
 */
export function cachePerDatabase<Cache>(make: () => Cache): (db: Db) => Cache {
  const caches = new WeakMap<Db, Cache>();
  return (given) => {
    const db = originOf(given);
    const known = caches.get(db);
    if (known) return known;
    const cache = make();
    caches.set(db, cache);
    return cache;
  };
}
