import type { App, Viewer } from '../../app.ts';
import type { Page } from '../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import type { FeedRow } from '../../platform/feed-tail.ts';
import { parseInput } from '../../platform/validate.ts';
import { sequenceOf } from './cursor.ts';
import { toFeedEvent, type CursorAhead, type FeedEvent } from './feed-event.ts';
import { eventNamePatterns } from './names.ts';
import { readHead, readStretch } from './store/feed.ts';

/** Where to begin and what to show. */
export type FeedArguments = {
  /** A cursor; left out: from the beginning. */
  readonly after?: string | null | undefined;
  /** Event names and patterns, at most 50; left out or empty: every event. */
  readonly types?: readonly string[] | null | undefined;
};

/** A page of the merchant account's feed, oldest first, of `first` (1 to 100) events. */
export async function readFeed(
  app: App,
  viewer: Viewer,
  { first, after, types }: FeedArguments & { readonly first: number },
): Promise<Result<Page<FeedEvent>, InvalidInput | CursorAhead>> {
  const { merchantAccountId } = viewer;
  if (first < 1 || first > PAGE_MAX) return refuse(invalidInput(['first'], `Must be 1 to ${PAGE_MAX}.`));
  const patterns = parsePatterns(types);
  if (!patterns.ok) return patterns;
  const from = after == null ? 0n : sequenceOf(merchantAccountId, after);
  if (from === null) return refuse(notACursor());
  const head = await readHead(app.db, merchantAccountId);
  if (from > head) return refuse({ kind: 'CursorAhead' });
  const rows = await collect(app, merchantAccountId, {
    after: from,
    until: head,
    patterns: patterns.value,
    limit: first + 1,
  });
  return ok({
    items: rows.slice(0, first).map(toFeedEvent),
    hasNextPage: rows.length > first,
    hasPreviousPage: from > 0n,
  });
}

const PAGE_MAX = 100;

/** The names and patterns of an argument `types`. */
export function parsePatterns(types: FeedArguments['types']): Result<readonly string[], InvalidInput> {
  return parseInput(eventNamePatterns, types ?? [], 'types');
}

export const notACursor = (): InvalidInput =>
  invalidInput(['after'], "Not a cursor of this merchant account's events.");

/** Events that a statement looks at when few of them match: some 10 ms of work. */
const SCAN_MAX = 5_000n;

/** Reads on until there are enough rows, in statements that are short however rare the events are. */
async function collect(
  app: App,
  merchantAccountId: string,
  { after, until, patterns, limit }: Parameters<typeof readStretch>[2],
): Promise<readonly FeedRow[]> {
  const rows: FeedRow[] = [];
  for (let at = after; at < until && rows.length < limit; at += SCAN_MAX) {
    const end = at + SCAN_MAX < until ? at + SCAN_MAX : until;
    const found = await readStretch(app.db, merchantAccountId, {
      after: at,
      until: end,
      patterns,
      limit: limit - rows.length,
    });
    rows.push(...found);
  }
  return rows;
}
