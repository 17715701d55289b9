import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { DELIVERY_WINDOW_MS } from '../dispatch/schedule.ts';
import { findOldestPending, moveBatch, notifyPending } from './relay.sql.ts';

/**
 * Starts the loop that puts committed events into the feed in order and creates their deliveries. Every process may run
 * one. Only one works at a time. When it dies, another takes over within 100 ms.
 */
export const startRelay = (app: App): Loop =>
  startLoop({ name: 'relay', idleMs: IDLE_MS, clock: app.clock, log: app.log, run: () => relayOnce(app) });

const IDLE_MS = 100;
const BATCH_MAX = 500;

/**
 * The pause while another process' relay is busy. A batch takes a few milliseconds. The other process may poll too late
 * for this event.
 */
const BUSY_MS = 5;

/**
 * Moves one batch of committed events into the feed. Returns true when more may wait, or when another process is moving
 * events.
 */
export async function relayOnce(app: App): Promise<boolean> {
  if (!(await findOldestPending(app.db))) return false;
  const now = app.clock.now();
  const deadline = new Date(now.getTime() + DELIVERY_WINDOW_MS);
  const moved = await moveBatch(app.db, { limit: BATCH_MAX, now, deadline });
  if (moved === null) await app.clock.sleep(BUSY_MS);
  return moved === null || moved === BATCH_MAX;
}

/**
 * Creates the function that notifies relays in other processes after commits. A process without a relay uses it. It
 * notifies at most every 5 ms, on its own connection. A notification inside the change's transaction would serialise
 * all commits.
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
      // The notification is optional, because relays also poll.
      .catch(() => undefined);
  };
}

const HINT_MS = 5;

/**
 * Returns the creation time of the oldest event that waits for the relay. Null when none waits. An old event means that
 * no relay works.
 */
export const oldestWaitingEvent = ({ db }: Pick<App, 'db'>): Promise<Date | null> => findOldestPending(db);
