import { LRUCache } from 'lru-cache';
import type { App } from '../../../app.ts';
import type { PageRequest } from '../../../kernel/page.ts';
import type { Changes } from '../../../platform/input/changes.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { PaymentService } from '../model/payment-service.ts';
import { findLinesByIds, LINES_MAX, listLines, readLines, type ListFilter } from '../store.ts';

/**
 * Reads a page of lines and one line more, newest first or, backward, oldest first. A cursor must be a UUID. Another field of
 * the lines throws. They may be as old as those of `knownLines`.
 */
export async function findLinePage(
  app: App,
  account: string,
  page: PageRequest,
  filter: ListFilter,
): Promise<readonly PaymentService[]> {
  const known = await knownLines(app, account);
  return known ? pageOf(known, page, filter) : await listLines(app.db, account, page, filter);
}

/**
 * Reads the lines of these payment services and perhaps of others, in no order, deleted ones included. Otherwise like
 * `findLinePage`.
 */
export const findLines = async (
  app: App,
  account: string,
  ids: readonly string[],
): Promise<readonly PaymentService[]> =>
  (await knownLines(app, account)) ?? (await findLinesByIds(app.db, account, ids));

/** Takes the page from all lines, which are newest first. Postgres and JavaScript put ids in lower case in the same order. */
function pageOf(
  lines: readonly PaymentService[],
  { direction, limit, cursor }: PageRequest,
  { method, deleted }: ListFilter,
): readonly PaymentService[] {
  const forward = direction === 'forward';
  const from = cursor?.toLowerCase();
  const isBeyond = (id: string): boolean => from === undefined || (forward ? id < from : id > from);
  const found = lines.filter(
    (line) => line.isDeleted === deleted && (method === null || line.method === method) && isBeyond(line.id),
  );
  return (forward ? found : found.toReversed()).slice(0, limit + 1);
}

/**
 * Returns the lines of all payment services of a merchant account, newest first, deleted ones included. Null when the account
 * has too many to remember.
 *
 * The lines are for display alone: a payment chooses its service from the rows. After a change by this process they are read
 * again. After a change by another process they are read again when its notification arrives, at the latest after a second.
 */
async function knownLines(app: App, account: string): Promise<readonly PaymentService[] | null> {
  const cache = cacheOf(app.serviceChanges);
  const changes = app.serviceChanges.count();
  const nowMs = app.clock.now().getTime();
  const known = cache.get(account);
  // After the clock is set back, an old entry must not look fresh for long.
  const isFresh = known?.changes === changes && Math.abs(nowMs - known.readAtMs) < AGE_MAX_MS;
  if (known && isFresh) return known.lines;
  // Concurrent requests read for themselves. A mutation never waits for the connections of queries.
  const lines = await readAll(app, account);
  cache.set(account, { changes, readAtMs: nowMs, lines });
  return lines;
}

async function readAll({ db }: App, account: string): Promise<readonly PaymentService[] | null> {
  const lines = await readLines(db, account);
  return lines.length > LINES_MAX ? null : lines;
}

/** The longest use of a copy when a notification is lost. */
const AGE_MAX_MS = 1_000;

/** With the longest lists, the lines of so many accounts take some 30 MB. */
const ACCOUNTS_MAX = 500;

type Known = {
  /** The count of changes before the reading. */
  readonly changes: number;
  /** The moment before the reading. */
  readonly readAtMs: number;
  /** Null: too many to remember. */
  readonly lines: readonly PaymentService[] | null;
};

/** The cache of each running service in this program. */
const cacheOf: (changes: Changes) => LRUCache<string, Known> = oncePer(
  () => new LRUCache({ max: ACCOUNTS_MAX }),
);
