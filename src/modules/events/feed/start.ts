import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { feedCursor, momentOf, placeOf, type Place } from './cursor.ts';
import { cursorExpired, type CursorAhead, type CursorExpired, type FeedRestored } from './feed-event.ts';
import { readBounds, readPlaceBefore, type Bounds } from './store/feed.sql.ts';

/** A checked cursor, with the bounds of the feed at the same moment. */
export type Start = Bounds & {
  /** The sequence of the cursor. Null without a cursor. */
  readonly given: bigint | null;
};

export type StartRefusal = InvalidInput | CursorAhead | CursorExpired | FeedRestored;

/**
 * Checks a cursor of the merchant account's feed.
 *
 * A cursor names the event that it follows. After a restore, the feed may give the same sequence to another event. The
 * cursor is then refused with a place to continue from. Cursors of removed events and of earlier versions name no event.
 */
export async function findStart(
  app: App,
  merchantAccountId: string,
  cursor: string | null | undefined,
  argument: 'after' | 'before' = 'after',
): Promise<Result<Start, StartRefusal>> {
  const place = cursor == null ? null : placeOf(merchantAccountId, cursor);
  if (cursor != null && !place)
    return refuse(invalidInput([argument], "Must be a cursor of this merchant account's events."));
  const bounds = await readBounds(app.db, merchantAccountId, place?.sequence);
  if (!place) return ok({ ...bounds, given: null });
  const { sequence, id } = place;
  if (sequence < bounds.floor) return refuse(cursorExpired(merchantAccountId, bounds.floor));
  if (id !== null && sequence > bounds.floor && bounds.idAt !== id)
    return refuse(await restored(app, { ...place, id }, bounds));
  return sequence > bounds.head ? refuse({ kind: 'CursorAhead' }) : ok({ ...bounds, given: sequence });
}

/**
 * Finds a place that misses no event. The service started again after the lost event, so every new event reached the
 * feed later than the lost one.
 */
async function restored(
  app: App,
  { merchantAccountId, sequence, id }: Place & { readonly id: string },
  { floor, head }: Bounds,
): Promise<FeedRestored> {
  const moment = momentOf(id);
  const below = sequence - 1n < head ? sequence - 1n : head;
  const found = moment && (await readPlaceBefore(app.db, merchantAccountId, { below, moment }));
  const place = found ?? { sequence: floor, id: null };
  return { kind: 'FeedRestored', continueCursor: feedCursor({ merchantAccountId, ...place }) };
}
