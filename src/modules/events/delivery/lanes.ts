import type { ClaimedDelivery } from './claim.sql.ts';
import type { SettledAttempt } from './settled-attempt.ts';

/** Claimed deliveries that wait for their turn, and those under way. */
export type Lanes = {
  /** The number of all deliveries here, waiting or under way. */
  size(): number;
  /** The leases of all deliveries here. */
  leases(): readonly string[];
  /** Takes deliveries of a claim, and starts as many as may start. */
  add(claimed: readonly ClaimedDelivery[]): void;
  /** Removes and returns the deliveries that have not started. */
  empty(): readonly ClaimedDelivery[];
  /** Resolves when no delivery is under way. */
  done(): Promise<void>;
};

export type LanesSettings = {
  /** The most deliveries under way, over all endpoints. */
  readonly max: number;
  /** Attempts a delivery. Must not reject. */
  readonly send: (delivery: ClaimedDelivery) => Promise<SettledAttempt>;
  /** Stores the result of an attempt. Must not reject. */
  readonly store: (attempt: SettledAttempt) => Promise<void>;
  /** Returns the milliseconds that are left of a delivery's lease. Negative after its end. */
  readonly leftMs: (delivery: ClaimedDelivery) => number;
  /** The milliseconds of its lease that a delivery needs to start. With less it is left to a later claim. */
  readonly neededMs: number;
  /** Half of the deliveries of an endpoint have started, so more may be claimed. */
  readonly refill: () => void;
  /** Receives the deliveries of an endpoint that shall not start after a failure. */
  readonly giveBack: (deliveries: readonly ClaimedDelivery[]) => void;
};

type Lane = {
  window: number;
  waiting: ClaimedDelivery[];
  readonly underWay: Set<ClaimedDelivery>;
  refillAt: number;
};

const newLane = (): Lane => ({ window: 1, waiting: [], underWay: new Set(), refillAt: 0 });

/**
 * Creates a lane for each endpoint. A lane has at most a window of deliveries under way. The deliveries behind them start
 * without a round trip to the database.
 */
export function createLanes(settings: LanesSettings): Lanes {
  const { max, send, store, leftMs, neededMs, refill, giveBack } = settings;
  const lanes = new Map<string, Lane>();
  const leases = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let waiting = 0;
  let running = 0;
  let isFull = false;

  const count = (lease: string, by: number): void => {
    const left = (leases.get(lease) ?? 0) + by;
    if (left === 0) leases.delete(lease);
    else leases.set(lease, left);
  };
  const leave = (delivery: ClaimedDelivery): void => count(delivery.lease, -1);

  const clear = (lane: Lane): readonly ClaimedDelivery[] => {
    const given = lane.waiting.splice(0);
    waiting -= given.length;
    given.forEach(leave);
    return given;
  };
  // After the end of its lease, a delivery belongs to the next claim, and no longer counts.
  const holding = ({ underWay: own }: Lane): number =>
    [...own].reduce((sum, one) => sum + (leftMs(one) > 0 ? 1 : 0), 0);
  const attempt = async (endpointId: string, lane: Lane, delivery: ClaimedDelivery): Promise<void> => {
    const attempted = await send(delivery);
    const { verdict } = attempted;
    lane.underWay.delete(delivery);
    running -= 1;
    if (verdict === 'throttled') lane.window = Math.max(1, Math.floor(lane.window / 2));
    if (verdict === 'failure' || verdict === 'gone') {
      lane.window = 1;
      if (lane.waiting.length > 0) giveBack(clear(lane));
    }
    if (isFull) advanceAll();
    else advance(endpointId, lane);
    // The next deliveries start without a wait for the disk.
    await store(attempted);
    leave(delivery);
    if (lane.waiting.length <= lane.refillAt) refill();
  };
  const advance = (endpointId: string, lane: Lane): void => {
    while (holding(lane) < lane.window && lane.waiting.length > 0) {
      isFull = running >= max;
      const delivery = isFull ? undefined : lane.waiting.shift();
      if (!delivery) return;
      waiting -= 1;
      if (leftMs(delivery) < neededMs) {
        leave(delivery);
        continue;
      }
      lane.underWay.add(delivery);
      running += 1;
      const sending = attempt(endpointId, lane, delivery).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
    if (lane.underWay.size === 0 && lane.waiting.length === 0) lanes.delete(endpointId);
  };
  const advanceAll = (): void => lanes.forEach((lane, endpointId) => advance(endpointId, lane));
  return {
    size: () => waiting + underWay.size,
    leases: () => [...leases.keys()],
    add: (claimed) => {
      for (const [endpointId, deliveries] of Map.groupBy(claimed, (one) => one.endpointId)) {
        const lane = lanes.get(endpointId) ?? newLane();
        lanes.set(endpointId, lane);
        lane.window = deliveries[0]?.window ?? 1;
        lane.waiting.push(...deliveries);
        lane.refillAt = Math.floor(lane.waiting.length / 2);
        waiting += deliveries.length;
        deliveries.forEach(({ lease }) => count(lease, 1));
      }
      advanceAll();
    },
    empty: () => [...lanes.values()].flatMap(clear),
    done: async () => {
      await Promise.all(underWay);
    },
  };
}
