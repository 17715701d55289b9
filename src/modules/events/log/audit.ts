import type { App } from '../../../app.ts';
import type { Db } from '../../../platform/db.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { DELIVERY_WINDOW_MS } from '../delivery/schedule.ts';
import { findMissedEvents, makeMissedDeliveries, markMissedEvents, readEnd, type Part } from './audit.sql.ts';

/** What this process found amiss in the log since it started. Anything but zeros is a fault of ours. */
export type AuditCounts = { missedEvents: number; missedDeliveries: number };

export const auditCounts = ({ db }: Pick<App, 'db'>): Readonly<AuditCounts> => countsOf(db);

const counts = new WeakMap<Db, AuditCounts>();

function countsOf(db: Db): AuditCounts {
  const known = counts.get(db) ?? { missedEvents: 0, missedDeliveries: 0 };
  counts.set(db, known);
  return known;
}

/**
 * Looks over the recent part of the log each minute: whether every event has reached the feed or waits for it, and every
 * delivery that should be there is. What is missed is counted, logged as an error and mended. Every process may run one.
 */
export function startAudit(app: App): Loop {
  const { clock, log } = app;
  const ends: bigint[] = [];
  const run = async (): Promise<boolean> => {
    const end = await readEnd(app.db);
    // Some rounds overlap: an event may have been committed long after it got its place.
    const after = ends[0] ?? end - FIRST_MAX;
    await auditPart(app, { after, until: end });
    ends.push(end);
    if (ends.length > OVERLAP_ROUNDS) ends.shift();
    return false;
  };
  return startLoop({ name: 'audit', idleMs: IDLE_MS, clock, log, run });
}

const IDLE_MS = 60_000;
const OVERLAP_ROUNDS = 5;

/** Events that the first round of a process looks at. */
const FIRST_MAX = 100_000n;

/** Events that one statement looks at: some hundred milliseconds. */
const STEP = 20_000n;

/** Looks over a part of the log, whatever its length, and mends what is missed. */
export async function auditPart(app: App, { after, until }: Part): Promise<void> {
  for (let at = after; at < until; at += STEP) {
    const part = { after: at, until: at + STEP < until ? at + STEP : until };
    const missed = await findMissedEvents(app.db, part);
    const marked = missed.length === 0 ? 0 : await markMissedEvents(app.db, missed);
    if (marked > 0) {
      countsOf(app.db).missedEvents += marked;
      app.log.error(
        { marked, first: String(missed[0]) },
        'Events had missed the feed; they are on their way again.',
      );
      app.wakeRelay();
    }
    const now = app.clock.now();
    const deadline = new Date(now.getTime() + DELIVERY_WINDOW_MS);
    const made = await makeMissedDeliveries(app.db, { ...part, now, deadline });
    if (made > 0) {
      countsOf(app.db).missedDeliveries += made;
      app.log.error({ made }, 'Events had missed webhook endpoints; their deliveries were made.');
    }
  }
}
