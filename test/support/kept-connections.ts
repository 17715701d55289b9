import { openDb, type Db, type DbSettings } from '../../src/platform/database/db.ts';

/** The name of the connections that stay open when a test drops its database. */
export const KEPT = 'test-kept';

/** The connections of one test database. */
type Kept = { readonly socketUrl: string; readonly pools: Map<string, Pool> };
type Pool = { readonly db: Db; isInUse: boolean };

/** By the address of the test database. */
const kept = new Map<string, Kept>();

/** Lets `openKept` keep connections to the test database at this address. They go by way of a Unix socket. */
export const keepConnections = (url: string, socketUrl: string): void =>
  void kept.set(url, { socketUrl, pools: new Map() });

/**
 * Opens a database as `openDb` does. The connections to a test database stay open for the next service there. A new
 * connection would plan every statement again. A second service at the same time has connections of its own.
 */
export function openKept(settings: DbSettings): Db {
  const database = kept.get(settings.url);
  const key = JSON.stringify(settings);
  const found = database?.pools.get(key);
  if (!database || found?.isInUse) return openDb(settings);
  const pool = found ?? openPool({ ...settings, url: database.socketUrl });
  database.pools.set(key, pool);
  pool.isInUse = true;
  const close = async (): Promise<void> => {
    pool.isInUse = false;
  };
  // A copy, so that a test may change it.
  return { ...pool.db, close };
}

const openPool = (settings: DbSettings): Pool => ({
  db: openDb({ ...settings, applicationName: KEPT }),
  isInUse: false,
});

/** Closes the kept connections of a test database. */
export async function endKept(url: string): Promise<void> {
  const pools = [...(kept.get(url)?.pools.values() ?? [])];
  kept.delete(url);
  await Promise.all(pools.map(({ db }) => db.close()));
}
