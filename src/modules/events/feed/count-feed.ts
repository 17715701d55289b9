import type { App, Viewer } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { collectable } from '../../../platform/lists/scan-plan.sql.ts';
import { countRange, countRangeAbout, type FeedRange } from './store/feed.sql.ts';
import { cursorAt, least, parseFeed, SCAN_MAX, type FeedPageArguments } from './read-feed.ts';
import type { StartRefusal } from './start.ts';

/**
 * Counts the events behind a cursor. The count ends at `atMost`. Refuses a count of rare types that needs too many events, and
 * names a cursor that is near enough.
 */
export async function countFeed(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  args: Omit<FeedPageArguments, 'first' | 'readsAll' | 'columns'>,
  atMost: number,
): Promise<Result<number, StartRefusal>> {
  const asked = await parseFeed(app, viewer, args);
  if (!asked.ok) return asked;
  const { merchantAccountId } = viewer;
  const { patterns, about, start } = asked.value;
  const after = start.given ?? start.floor;
  // The sequence has no gap.
  if (!about && patterns.length === 0) return ok(Number(least(start.head - after, BigInt(atMost))));
  const range = { after, until: start.head, patterns, limit: atMost };
  if (about) return ok(await countRangeAbout(app.db, merchantAccountId, about, range));
  return await countTypes(app, merchantAccountId, range);
}

/** Counts the events of some types in short statements, as a page is read. */
async function countTypes(
  app: App,
  merchantAccountId: string,
  { after, until, patterns, limit }: FeedRange,
): Promise<Result<number, InvalidInput>> {
  // Each entry of the feed leads to an event that is stored elsewhere.
  const scanLimit = BigInt(collectable(app.config.PAYGRAPH_LIST_SCAN_LIMIT));
  const last = least(until, after + scanLimit);
  let found = 0;
  for (let at = after; at < last && found < limit; at += SCAN_MAX)
    found += await countRange(app.db, merchantAccountId, {
      ...{ after: at, until: least(last, at + SCAN_MAX) },
      ...{ patterns, limit: limit - found },
    });
  if (found >= limit || last === until) return ok(found);
  const near = await cursorAt(app, merchantAccountId, until - scanLimit);
  return refuse(
    invalidInput(
      ['after'],
      `One request reads at most ${scanLimit.toLocaleString('en')} events, and this count needs more. ` +
        `Set after to ${near} or a later cursor, or lower the limit of the count.`,
    ),
  );
}
