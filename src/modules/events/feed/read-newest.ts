import type { App, Viewer } from '../../../app.ts';
import { invalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { feedCursor } from './cursor.ts';
import type { FeedEvent } from './feed-event.ts';
import { readRange, readRangeAbout, type FeedRead } from './store/feed.sql.ts';
import {
  cursorAt,
  PAGE_MAX,
  parseFeed,
  SCAN_MAX,
  type FeedPage,
  type FeedPageArguments,
} from './read-feed.ts';
import type { StartRefusal } from './start.ts';

export type NewestArguments = Pick<FeedPageArguments, 'types' | 'target' | 'columns'> & {
  /** 1 to 100. */
  readonly last: number;
  /** A cursor. The page ends with the event before it. The default is the end of the feed. */
  readonly before?: string | null | undefined;
};

/**
 * Returns the newest events of the merchant account's feed, oldest first. A page of rare types ends after a bounded number of
 * events, even if it is not full. Refuses a cursor as `readFeed` does.
 */
export async function readNewest(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  { last, before, types, target, columns = 'whole' }: NewestArguments,
): Promise<Result<FeedPage, StartRefusal>> {
  const { merchantAccountId } = viewer;
  if (last < 1 || last > PAGE_MAX) return refuse(invalidInput(['last'], `Must be 1 to ${PAGE_MAX}.`));
  const asked = await parseFeed(app, viewer, { before, types, target });
  if (!asked.ok) return asked;
  const { about, patterns, start } = asked.value;
  const { given, floor, head, headId } = start;
  const until = given === null ? head : given - 1n;
  const lowest = about ? floor : greatest(floor, until - BigInt(app.config.PAYGRAPH_LIST_SCAN_LIMIT));
  const range = { after: lowest, until, patterns, limit: last + 1, order: 'newest', columns } as const;
  const rows = about
    ? await readRangeAbout(app.db, merchantAccountId, about, range)
    : await collectNewest(app, merchantAccountId, range);
  const isStopped = rows.length <= last && lowest > floor;
  return ok({
    items: rows.slice(0, last).toReversed(),
    stoppedAt: isStopped ? await cursorAt(app, merchantAccountId, lowest + 1n) : null,
    hasNextPage: until < head,
    hasPreviousPage: rows.length > last || isStopped,
    head: feedCursor({ merchantAccountId, sequence: head, id: headId }),
  });
}

/** Reads back from the end of the range until it has enough rows. Each statement is short, however rare the events are. */
async function collectNewest(
  app: App,
  merchantAccountId: string,
  { after, until, limit, ...range }: FeedRead,
): Promise<readonly FeedEvent[]> {
  const rows: FeedEvent[] = [];
  for (let at = until; at > after && rows.length < limit; at -= SCAN_MAX) {
    const found = await readRange(app.db, merchantAccountId, {
      ...range,
      ...{ after: greatest(after, at - SCAN_MAX), until: at, limit: limit - rows.length },
    });
    rows.push(...found);
  }
  return rows;
}

const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
