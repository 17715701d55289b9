import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { App, Viewer } from '../app.ts';
import { originOf } from '../platform/database/acting.ts';
import type { Db } from '../platform/database/db.ts';
import type { Statement } from '../platform/database/statement.ts';
import type { GraphContext, Requested } from './context.ts';
import { createLoaders } from './loaders.ts';

/**
 * Moves a query or a subscription to the connections for reads, before anything is read. Changes the context itself,
 * because Apollo holds the context from before the document is parsed.
 */
export function readApart(context: GraphContext): void {
  const { viewer } = context;
  const app = readingApp(originOf(context.app), viewer.merchantAccountId);
  Object.assign(context, { app, loaders: createLoaders(app, viewer) });
}

/** Creates the context of a query, with the connections for reads. A query changes nothing, so it has no actor. */
export function createReadingContext(app: App, viewer: Viewer, requested: Requested): GraphContext {
  const { requestId, spend = () => null, keyHeader = null } = requested;
  const reading = readingApp(app, viewer.merchantAccountId);
  return { app: reading, viewer, loaders: createLoaders(reading, viewer), requestId, spend, keyHeader };
}

/** Returns how long the oldest waiting read of a merchant account waits, in milliseconds. Zero if none waits. */
export const readsWaitedMs = (app: App, merchantAccountId: string): number =>
  readingApp(app, merchantAccountId).db.waitedMs(merchantAccountId);

/** Merchant accounts whose share a process remembers. */
const ACCOUNTS_MAX = 10_000;

const readingApps = new WeakMap<App, LRUCache<string, App>>();

/** Returns the app whose database is the account's share of the connections for reads. All requests of an account share it. */
function readingApp(app: App, merchantAccountId: string): App {
  const byAccount = readingApps.get(app) ?? new LRUCache<string, App>({ max: ACCOUNTS_MAX });
  readingApps.set(app, byAccount);
  const known = byAccount.get(merchantAccountId);
  if (known) return known;
  // The prototype keeps the values that change later, such as the public address.
  const reading = Object.create(app, { db: { value: shareOf(app), enumerable: true } }) as App;
  byAccount.set(merchantAccountId, reading);
  return reading;
}

/**
 * Makes an account's share of the connections for reads:
 *
 * - Its long lists and searches run on one in eight. They are planned for their values and so carry no name.
 * - Its look-ups, which are prepared by name, and the short fronts of its lists run on a quarter.
 *
 * Further statements wait in the process, not in Postgres. One long search then keeps at most one processor busy.
 */
function shareOf({ readDb, config }: App): Db {
  const waiting = new Set<{ readonly sinceMs: number }>();
  const partOf = (parts: number) => pLimit(Math.max(1, Math.floor(config.DATABASE_READ_POOL / parts)));
  const [lists, lookUps] = [partOf(8), partOf(4)];
  const query = <Row>(statement: Statement) => {
    const wait = { sinceMs: performance.now() };
    waiting.add(wait);
    return (statement.name === null && !statement.isShort ? lists : lookUps)(() => {
      waiting.delete(wait);
      return readDb.query<Row>(statement);
    });
  };
  const waitedMs = (owner: string): number => {
    const [oldest] = waiting;
    return Math.max(readDb.waitedMs(owner), oldest ? performance.now() - oldest.sinceMs : 0);
  };
  return Object.create(readDb, {
    query: { value: query, enumerable: true },
    waitedMs: { value: waitedMs, enumerable: true },
  }) as Db;
}
