import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { createRoomReader } from '../partitions/keep-partitions.ts';
import { attemptDelivery } from './attempt.ts';
import { countAttempt } from './attempt-counter.ts';
import { createSettler, LEASE_MS } from './settle.ts';
import { claimDeliveries, type ClaimedDelivery } from './store/claim.sql.ts';
import { createLanes } from './lanes.ts';
import { giveBackDeliveries } from './store/give-back.sql.ts';
import { sweepDeliveries } from './store/sweep.sql.ts';

/** The most concurrent deliveries in one process. */
const IN_FLIGHT_MAX = 256;

/** The most deliveries that one process holds: under way, or behind those. */
const HELD_MAX = 1_024;

/** The time that an attempt needs within its lease: its deadline, and as long again for the result. */
const ATTEMPT_MS = 10_000;

const IDLE_MS = 250;

/** The interval of the sweep over ended leases, deadlines and recovered endpoints. */
const SWEEP_MS = 1_000;

/**
 * Starts the loop that claims deliveries, posts them outside any transaction, and settles them. Every process may run
 * one. After a process dies, its deliveries are sent again when their leases end. Stopping gives back the deliveries that
 * have not started, and waits for the others, at most 5 s.
 */
export function startDispatcher(app: App): Loop {
  const settler = createSettler(app);
  const readRoom = createRoomReader(app);
  let sweptAt = -Infinity;

  const giveBack = async (deliveries: readonly ClaimedDelivery[]): Promise<void> => {
    // Without this, the sweep does it at the end of their leases.
    await giveBackDeliveries(app.db, deliveries).catch((error: unknown) =>
      app.log.error(
        { err: error },
        'Deliveries could not be given back. They wait for the end of their leases.',
      ),
    );
  };
  const lanes = createLanes({
    max: IN_FLIGHT_MAX,
    send: async (delivery) => {
      const attempt = await attemptDelivery(app, delivery);
      countAttempt(app, attempt.verdict);
      await failpoint('dispatcher.sent');
      return attempt;
    },
    store: (attempt) => settler.settle(attempt),
    leftMs: ({ leaseUntil }) => leaseUntil.getTime() - app.clock.now().getTime(),
    neededMs: ATTEMPT_MS,
    refill: () => loop.poke(),
    giveBack: (deliveries) => void giveBack(deliveries),
  });
  const run = async (): Promise<boolean> => {
    const now = app.clock.now();
    let more = false;
    if (now.getTime() - sweptAt >= SWEEP_MS) {
      more = await sweepDeliveries(app.db, now);
      if (!more) sweptAt = now.getTime();
    }
    const limit = HELD_MAX - lanes.size();
    if (limit === 0) return more;
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const lease = app.ids.uuid();
    const claimed = await claimDeliveries(app.db, {
      ...{ now, lease, leaseUntil, limit, mine: lanes.leases() },
      ...(await readRoom()),
    });
    await failpoint('dispatcher.claimed');
    lanes.add(claimed);
    return more || claimed.length === limit;
  };
  const loop = startLoop({ name: 'dispatcher', idleMs: IDLE_MS, clock: app.clock, log: app.log, run });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      await loop.stop();
      await giveBack(lanes.empty());
      await lanes.done();
    },
  };
}
