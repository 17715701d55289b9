import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { createRoomReader } from '../partitions/keep-partitions.ts';
import { attemptDelivery } from './attempt.ts';
import { createSettler, LEASE_MS } from './settle.ts';
import { claimDeliveries, type ClaimedDelivery } from './claim.sql.ts';
import { sweepDeliveries } from './sweep.sql.ts';

/** The most concurrent deliveries in one process. */
const IN_FLIGHT_MAX = 256;

const IDLE_MS = 250;

/** The interval of the sweep over ended leases, deadlines and recovered endpoints. */
const SWEEP_MS = 1_000;

/**
 * Starts the loop that claims deliveries, posts them outside any transaction, and settles them. Every process may run
 * one. After a process dies, its deliveries are sent again when their leases end. Stopping waits for running
 * deliveries, at most 5 s.
 */
export function startDispatcher(app: App): Loop {
  const underWay = new Set<Promise<void>>();
  const settler = createSettler(app);
  const readRoom = createRoomReader(app);
  let sweptAt = -Infinity;

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const attempt = await attemptDelivery(app, delivery);
    await failpoint('dispatcher.sent');
    await settler.settle(attempt);
  };
  const start = (delivery: ClaimedDelivery): void => {
    const sending = send(delivery).finally(() => {
      underWay.delete(sending);
      loop.poke();
    });
    underWay.add(sending);
  };
  const run = async (): Promise<boolean> => {
    const now = app.clock.now();
    let more = false;
    if (now.getTime() - sweptAt >= SWEEP_MS) {
      more = await sweepDeliveries(app.db, now);
      if (!more) sweptAt = now.getTime();
    }
    const limit = IN_FLIGHT_MAX - underWay.size;
    if (limit === 0) return more;
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const lease = app.ids.uuid();
    const claimed = await claimDeliveries(app.db, { now, lease, leaseUntil, limit, ...(await readRoom()) });
    await failpoint('dispatcher.claimed');
    claimed.forEach(start);
    return more || (claimed.length > 0 && underWay.size < IN_FLIGHT_MAX);
  };
  const loop = startLoop({ name: 'dispatcher', idleMs: IDLE_MS, clock: app.clock, log: app.log, run });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
