import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import type { Page } from '../../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { feedCursor } from './cursor.ts';
import { cursorExpired, type CursorExpired, type FeedEvent } from './feed-event.ts';
import { eventNamePatterns } from './names.ts';
import { findStart, type Start, type StartRefusal } from './start.ts';
import { readBounds, readRange, readRangeAbout, type EventTarget, type FeedRead } from './store/feed.sql.ts';

/** The place to begin and the events to show. */
export type FeedArguments = {
  /** A cursor. The default is the oldest event. */
  readonly after?: string | null | undefined;
  /** Event names and patterns, at most 50. Absent or empty: every event. */
  readonly types?: readonly string[] | null | undefined;
};

export type FeedPageArguments = FeedArguments & {
  /** 1 to 100. */
  readonly first: number;
  /** Only events about this record, of any present or future type. */
  readonly target?: EventTarget | null | undefined;
  /** True for background work, which reads until the page is full. */
  readonly readsAll?: true;
  /** The columns of the events. The default is every column. */
  readonly columns?: LineOrWhole;
};

/** A page with the cursor of the newest event. */
export type FeedPage = Page<FeedEvent> & {
  readonly head: string;
  /** The cursor of the last scanned event of a page that ended before it was full. Otherwise null. */
  readonly stoppedAt: string | null;
};

/**
 * Returns a page of the merchant account's feed, oldest first. Refuses a cursor whose next events are removed. A page of rare
 * types ends after a bounded number of events, even if it is not full.
 */
export async function readFeed(
  app: App,
  viewer: Pick<Viewer, 'merchantAccountId'>,
  { first, after, types, target, readsAll, columns = 'whole' }: FeedPageArguments,
): Promise<Result<FeedPage, StartRefusal>> {
  const { merchantAccountId } = viewer;
  if (first < 1 || first > PAGE_MAX) return refuse(invalidInput(['first'], `Must be 1 to ${PAGE_MAX}.`));
  const asked = await parseFeed(app, viewer, { after, types, target });
  if (!asked.ok) return asked;
  const { given, floor, head, headId } = asked.value.start;
  const from = given ?? floor;
  const range = { after: from, until: head, patterns: asked.value.patterns, limit: first + 1, columns };
  const scanLimit = readsAll ? null : app.config.PAYGRAPH_LIST_SCAN_LIMIT;
  const { about } = asked.value;
  const { rows, end } = about
    ? { rows: await readRangeAbout(app.db, merchantAccountId, about, range), end: head }
    : await collect(app, merchantAccountId, range, scanLimit);
  const lost = given === null ? null : await removedMeanwhile(app, merchantAccountId, given, rows);
  if (lost) return refuse(lost);
  const isStopped = rows.length <= first && end < head;
  return ok({
    items: rows.slice(0, first),
    stoppedAt: isStopped ? await cursorAt(app, merchantAccountId, end) : null,
    hasNextPage: rows.length > first || isStopped,
    hasPreviousPage: from > floor,
    head: feedCursor({ merchantAccountId, sequence: head, id: headId }),
  });
}

/** The most events of a page. */
export const PAGE_MAX = 100;

/** Checked arguments of a feed. */
export type Asked = {
  readonly patterns: readonly string[];
  readonly about: EventTarget | null;
  readonly start: Start;
};

/** Checks the arguments of a feed that a page and a count share. */
export async function parseFeed(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  {
    after,
    types,
    target,
    before,
  }: Omit<FeedPageArguments, 'first' | 'columns'> & { readonly before?: string | null | undefined },
): Promise<Result<Asked, StartRefusal>> {
  const patterns = parsePatterns(types);
  if (!patterns.ok) return patterns;
  const about = target ? parseInput(targetSchema, target, 'target') : ok(null);
  if (!about.ok) return about;
  const start =
    before == null
      ? await findStart(app, merchantAccountId, after)
      : await findStart(app, merchantAccountId, before, 'before');
  return start.ok ? ok({ patterns: patterns.value, about: about.value, start: start.value }) : start;
}

const TARGET_LENGTH_MAX = 100;

/** The record in the filter of a feed. */
export const targetSchema = z.object({ type: text(1, TARGET_LENGTH_MAX), id: text(1, TARGET_LENGTH_MAX) });

/** Checks the names and patterns of an argument `types`. */
export function parsePatterns(types: FeedArguments['types']): Result<readonly string[], InvalidInput> {
  return parseInput(eventNamePatterns, types ?? [], 'types');
}

/** Returns a refusal if events were removed during the read. Rows that follow the cursor directly miss none. */
async function removedMeanwhile(
  app: App,
  merchantAccountId: string,
  from: bigint,
  [oldest]: readonly FeedEvent[],
): Promise<CursorExpired | null> {
  if (oldest?.sequence === from + 1n) return null;
  const { floor } = await readBounds(app.db, merchantAccountId);
  return from < floor ? cursorExpired(merchantAccountId, floor) : null;
}

/** The number of events that a statement reads when few match: some 10 ms of work. */
export const SCAN_MAX = 5_000n;

/**
 * Reads until it has enough rows or has scanned so many events. Each statement is short, however rare the events are. Answers
 * the last scanned sequence as `end`.
 */
async function collect(
  app: App,
  merchantAccountId: string,
  { after, until, limit, ...range }: FeedRead,
  scanLimit: number | null,
): Promise<{ readonly rows: readonly FeedEvent[]; readonly end: bigint }> {
  const last = scanLimit === null ? until : least(until, after + BigInt(scanLimit));
  const rows: FeedEvent[] = [];
  for (let at = after; at < last && rows.length < limit; at += SCAN_MAX) {
    const found = await readRange(app.db, merchantAccountId, {
      ...{ after: at, until: least(last, at + SCAN_MAX) },
      ...{ ...range, limit: limit - rows.length },
    });
    rows.push(...found);
  }
  return { rows, end: last };
}

/** Returns the smaller sequence. */
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Returns the cursor behind the event of a sequence. */
export async function cursorAt(app: App, merchantAccountId: string, sequence: bigint): Promise<string> {
  const { idAt } = await readBounds(app.db, merchantAccountId, sequence);
  return feedCursor({ merchantAccountId, sequence, id: idAt });
}
