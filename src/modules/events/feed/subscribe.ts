import type { App, Viewer } from '../../../app.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { cursorExpired, type CursorExpired, type FeedEvent } from './feed-event.ts';
import { matchesName } from './names.ts';
import { parsePatterns, type FeedArguments } from './read-feed.ts';
import { findStart, type StartRefusal } from './start.ts';
import { readBounds } from './store/feed.sql.ts';

/** The value of `after` for the oldest event. */
const BEGIN = 'BEGIN';

/**
 * Returns the merchant account's events from a place in the feed on. The default of `after` is now.
 *
 * A slow consumer pulls at most one small page ahead, and reads the rest from the database later. Ending the generator
 * takes effect at once, also while it waits. If events behind a slow consumer are removed, its last item is
 * CursorExpired.
 */
export async function subscribeEvents(
  app: App,
  viewer: Viewer,
  { after, types }: FeedArguments,
): Promise<Result<AsyncGenerator<FeedEvent | CursorExpired, void>, StartRefusal>> {
  const { merchantAccountId } = viewer;
  const patterns = parsePatterns(types);
  if (!patterns.ok) return patterns;
  const start = await findStart(app, merchantAccountId, after === BEGIN ? null : after);
  if (!start.ok) return start;
  const { given, floor, head } = start.value;
  const from = given ?? (after === BEGIN ? floor : head);
  return ok(
    endable((signal) => follow(app, { merchantAccountId, from, head, patterns: patterns.value }, signal)),
  );
}

type Subscription = {
  readonly merchantAccountId: string;
  readonly from: bigint;
  readonly head: bigint;
  readonly patterns: readonly string[];
};

/** Yields the matching rows in one loop from the past into the present. No row can be lost in between. */
async function* follow(
  app: App,
  { merchantAccountId, from, head, patterns }: Subscription,
  signal: AbortSignal,
): AsyncGenerator<FeedEvent | CursorExpired, void> {
  const lane = app.feedTail.join(merchantAccountId, head);
  try {
    let at = from;
    while (await lane.changed(at, signal)) {
      const rows = lane.after(at, TAKE_ROWS) ?? (await readPage(app, merchantAccountId, at));
      if ('kind' in rows) {
        yield rows;
        return;
      }
      // `yield*` would make two promises more for each row.
      for (const row of rows.filter(({ name }) => matchesName(patterns, name))) yield row;
      at = rows.at(-1)?.sequence ?? at;
    }
  } finally {
    lane.leave();
  }
}

/** The most rows that a subscriber takes from memory at a time. */
const TAKE_ROWS = 200;

/** Reads a page of the past. A shared read may have begun before the next row, so a second read follows. */
async function readPage(
  app: App,
  merchantAccountId: string,
  after: bigint,
): Promise<readonly FeedEvent[] | CursorExpired> {
  for (let reads = 0; reads < 2; reads += 1) {
    const rows = await app.feedPages.after(merchantAccountId, after);
    if (rows[0]?.sequence === after + 1n) return rows;
  }
  const { floor } = await readBounds(app.db, merchantAccountId);
  if (after < floor) return cursorExpired(merchantAccountId, floor);
  throw new Error('The feed has a gap.');
}

/**
 * Returns a generator whose `return` takes effect during a waiting `next`. A plain generator would wait for the next
 * event first.
 */
function endable<Value>(
  run: (signal: AbortSignal) => AsyncGenerator<Value, void>,
): AsyncGenerator<Value, void> {
  const controller = new AbortController();
  const inner = run(controller.signal);
  const end = (): Promise<IteratorResult<Value, void>> => {
    controller.abort();
    return inner.return();
  };
  return {
    next: () => inner.next(),
    return: end,
    throw: (error: unknown) => {
      controller.abort();
      return inner.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: async () => {
      await end();
    },
  };
}
