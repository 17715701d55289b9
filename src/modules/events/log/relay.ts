import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { DELIVERY_WINDOW_MS } from '../delivery/schedule.ts';
import { findOldestPending, moveBatch, notifyPending } from './relay.sql.ts';

/**
 * Puts committed events into the feed in order and makes their deliveries. Every process may run one: only one works at
 * a time, and when it dies the next takes over within 100 ms.
 */
export const startRelay = (app: App): Loop =>
  startLoop({ name: 'relay', idleMs: IDLE_MS, clock: app.clock, log: app.log, run: () => relayOnce(app) });

const IDLE_MS = 100;
const BATCH_MAX = 500;

/** A batch takes a few milliseconds, so another process' relay is done by then; its next one may come too late for us. */
const BUSY_MS = 5;

/** Moves one batch of committed events into the feed; true when there may be more, or another process is at it. */
export async function relayOnce(app: App): Promise<boolean> {
  if (!(await findOldestPending(app.db))) return false;
  const now = app.clock.now();
  const deadline = new Date(now.getTime() + DELIVERY_WINDOW_MS);
  const moved = await moveBatch(app.db, { limit: BATCH_MAX, now, deadline });
  if (moved === null) await app.clock.sleep(BUSY_MS);
  return moved === null || moved === BATCH_MAX;
}

/**
 * For a process that runs no relay: tells those that do, after commits, that events wait. Said at most every 5 ms, on a
 * connection of its own; never in the transaction that makes the change, where it would serialise all commits.
 */
export function createRelayHint({ db, clock }: Pick<App, 'db' | 'clock'>): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    void clock
      .sleep(HINT_MS)
      .then(() => {
        due = false;
        return notifyPending(db);
      })
      // A hint only: the relays' timers find the events too.
      .catch(() => undefined);
  };
}

const HINT_MS = 5;

/** When the oldest event that waits for the relay was made; null when none waits. Old means that no relay works. */
export const oldestWaitingEvent = (app: App): Promise<Date | null> => findOldestPending(app.db);
