import { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { App, Viewer } from '../app.ts';
import { originOf } from '../platform/database/acting.ts';
import type { Db } from '../platform/database/db.ts';
import type { Config } from '../platform/process/config.ts';
import type { Changes } from '../platform/input/changes.ts';
import type { Position } from '../platform/connections/position.ts';
import type { Statement } from '../platform/database/statement.ts';
import type { GraphContext, Requested } from './context.ts';
import { createLoaders } from './loaders.ts';

/**
 * Moves a query or a subscription to the connections for reads, before anything is read. Marks a mutation. Changes the context itself,
 * because Apollo holds the context from before the document is parsed.
 *
 * An event of a subscription shows the state after the event, so a subscription never reads from a replica.
 */
export function readApart(context: GraphContext, kind: OperationTypeNode | undefined): void {
  if (kind === OperationTypeNode.MUTATION) return void (context.marks.mayChange = true);
  const { viewer } = context;
  const position = kind === OperationTypeNode.QUERY ? context.position : null;
  const app = readingApp(originOf(context.app), viewer.merchantAccountId, position);
  Object.assign(context, { app, loaders: createLoaders(app, viewer) });
}

/** Returns true for the context of a mutation that was permitted. */
export const mayChange = ({ marks }: GraphContext): boolean => marks.mayChange;

/** Creates the context of a query, with the connections for reads. A query changes nothing, so it has no actor. */
export function createReadingContext(app: App, viewer: Viewer, requested: Requested): GraphContext {
  const { requestId, spend = () => null, keyHeader = null, position = null } = requested;
  const from = readingApp(app, viewer.merchantAccountId, position);
  const loaders = createLoaders(from, viewer);
  return { app: from, viewer, loaders, requestId, spend, keyHeader, position, marks: { mayChange: false } };
}

/** Returns how long the oldest waiting read of a merchant account waits, in milliseconds. Zero if none waits. */
export const readsWaitedMs = (app: App, merchantAccountId: string): number =>
  readingApp(app, merchantAccountId).db.waitedMs(merchantAccountId);

/** Merchant accounts whose share a process remembers. */
const ACCOUNTS_MAX = 10_000;

/** The apps of each app and each set of its connections, by merchant account. */
const readingApps = new WeakMap<App, WeakMap<Db, LRUCache<string, App>>>();

/**
 * Returns the app whose database is the account's share of the connections for reads. All requests of an account share it.
 *
 * With a position, the connections are those of a replica that has the position, or else of the primary.
 */
function readingApp(app: App, merchantAccountId: string, position: Position | null = null): App {
  const replica = position === null ? null : (app.replicas?.at(position) ?? null);
  const readDb = replica ?? app.readDb;
  const byDb = readingApps.get(app) ?? new WeakMap<Db, LRUCache<string, App>>();
  readingApps.set(app, byDb);
  const byAccount = byDb.get(readDb) ?? new LRUCache<string, App>({ max: ACCOUNTS_MAX });
  byDb.set(readDb, byAccount);
  const known = byAccount.get(merchantAccountId);
  if (known) return known;
  // The prototype keeps the values that change later, such as the public address.
  const made = Object.create(app, {
    db: { value: shareOf(readDb, app.config), enumerable: true },
    ...(replica && {
      readDb: { value: replica, enumerable: true },
      serviceChanges: { value: alwaysChanging(), enumerable: true },
    }),
  }) as App;
  byAccount.set(merchantAccountId, made);
  return made;
}

/** Keeps a copy of records from a replica out of use. The notification of a change may come before the change does. */
function alwaysChanging(): Changes {
  let count = 0;
  return { count: () => (count += 1), note: () => undefined };
}

/**
 * Makes an account's share of the connections for reads:
 *
 * - Its long lists and searches run on one in eight. They are planned for their values and so carry no name.
 * - Its look-ups, which are prepared by name, and the short fronts of its lists run on a quarter.
 *
 * Further statements wait in the process, not in Postgres. One long search then keeps at most one processor busy.
 */
function shareOf(readDb: Db, config: Config): Db {
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
