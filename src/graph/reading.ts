import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { App } from '../app.ts';
import type { Db } from '../platform/db.ts';
import type { Statement } from '../platform/statement.ts';
import type { GraphContext } from './context.ts';
import { createLoaders } from './loaders.ts';

/**
 * Moves a query or a subscription to the connections for reads, before anything is read. Changes the context itself,
 * because Apollo holds the context from before the document is parsed.
 */
export function readApart(context: GraphContext): void {
  const { viewer } = context;
  const app = readingApp(context.app, viewer.merchantAccountId);
  Object.assign(context, { app, loaders: createLoaders(app, viewer) });
}

/** Merchant accounts whose share a process remembers. */
const ACCOUNTS_MAX = 10_000;

const shares = new WeakMap<Db, LRUCache<string, Db>>();

/** Returns the app whose database is the account's share of the connections for reads. */
const readingApp = (app: App, merchantAccountId: string): App =>
  // The prototype keeps the values that change later, such as the public address.
  Object.create(app, { db: { value: shareOf(app, merchantAccountId), enumerable: true } }) as App;

/**
 * Returns the account's share of the connections for reads:
 *
 * - Its lists and searches run on one in eight. They are planned for their values and so carry no name.
 * - Its look-ups, which are prepared by name, run on a quarter.
 *
 * Further statements wait in the process, not in Postgres. One search then keeps at most one processor busy.
 */
function shareOf({ readDb, config }: App, merchantAccountId: string): Db {
  const byAccount = shares.get(readDb) ?? new LRUCache<string, Db>({ max: ACCOUNTS_MAX });
  shares.set(readDb, byAccount);
  const known = byAccount.get(merchantAccountId);
  if (known) return known;
  const partOf = (parts: number) => pLimit(Math.max(1, Math.floor(config.DATABASE_READ_POOL / parts)));
  const [lists, lookUps] = [partOf(8), partOf(4)];
  const query = <Row>(statement: Statement) =>
    (statement.name === null ? lists : lookUps)(() => readDb.query<Row>(statement));
  const share = Object.create(readDb, { query: { value: query, enumerable: true } }) as Db;
  byAccount.set(merchantAccountId, share);
  return share;
}
