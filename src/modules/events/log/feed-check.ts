import type { App } from '../../../app.ts';
import type { Db } from '../../../platform/database/db.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import { DELIVERY_WINDOW_MS } from '../dispatch/schedule.ts';
import {
  findMissedEvents,
  insertMissedDeliveries,
  markMissedEvents,
  readEnd,
  type Part,
} from './feed-check.sql.ts';

/** The faults that this process has found in the log since its start. Any number above zero is a bug of the service. */
export type FeedCheckCounts = { missedEvents: number; missedDeliveries: number };

export const feedCheckCounts = ({ db }: Pick<App, 'db'>): Readonly<FeedCheckCounts> => countsOf(db);

const countsOf: (db: Db) => FeedCheckCounts = oncePer(() => ({ missedEvents: 0, missedDeliveries: 0 }));

/**
 * Starts the loop that checks the recent part of the log each minute. Every event must be in the feed or wait for the
 * relay, and every delivery must exist. A missed row is counted, logged as an error and repaired. Every
 * process may run one.
 */
export function startFeedCheck(app: App): Loop {
  const { clock, log } = app;
  const ends: bigint[] = [];
  const run = async (): Promise<boolean> => {
    const end = await readEnd(app.db);
    // Rounds overlap, because an event may be committed long after it got its position.
    const after = ends[0] ?? end - FIRST_MAX;
    await checkFeedPart(app, { after, until: end });
    ends.push(end);
    if (ends.length > OVERLAP_ROUNDS) ends.shift();
    return false;
  };
  return startLoop({ name: 'feed check', idleMs: IDLE_MS, clock, log, run });
}

const IDLE_MS = 60_000;
const OVERLAP_ROUNDS = 5;

/** The number of events that a process checks in its first round. */
const FIRST_MAX = 100_000n;

/** The number of events that one statement checks, in some hundred milliseconds. */
const STEP = 20_000n;

/** The retention keeps the feed entry of an event for at least eight days. */
const RETAINED_MS = 7 * 24 * 3_600_000;

/** Checks a part of the log of any length, and repairs missed rows. */
export async function checkFeedPart(app: App, { after, until }: Part): Promise<void> {
  for (let at = after; at < until; at += STEP) {
    const part = { after: at, until: at + STEP < until ? at + STEP : until };
    const now = app.clock.now();
    const since = new Date(now.getTime() - RETAINED_MS);
    const missed = await findMissedEvents(app.db, part, since);
    const marked = missed.length === 0 ? 0 : await markMissedEvents(app.db, missed, since);
    if (marked > 0) {
      countsOf(app.db).missedEvents += marked;
      app.log.error(
        { marked, first: String(missed[0]) },
        'Events were missing in the feed. The relay will publish them.',
      );
      app.wakeRelay();
    }
    const deadline = new Date(now.getTime() + DELIVERY_WINDOW_MS);
    const inserted = await insertMissedDeliveries(app.db, { ...part, now, deadline });
    if (inserted > 0) {
      countsOf(app.db).missedDeliveries += inserted;
      app.log.error({ inserted }, 'Deliveries to webhook endpoints were missing. They are now queued.');
    }
  }
}
