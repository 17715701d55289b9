import type { ClaimedDelivery } from './store/claim.sql.ts';
import type { SettledAttempt, Verdict } from './settled-attempt.ts';

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
  readonly waiting: ClaimedDelivery[];
  readonly underWay: Set<ClaimedDelivery>;
  /** The number of waiting deliveries at which more are claimed. */
  refillAt: number;
};

/**
 * Creates a lane for each endpoint. A lane has at most a window of deliveries under way. The deliveries behind them start
 * without a round trip to the database.
 */
export function createLanes(settings: LanesSettings): Lanes {
  const { max, send, store, leftMs, neededMs, refill, giveBack } = settings;
  const lanes = new Map<string, Lane>();
  /** All deliveries here, also those whose results are not stored yet. */
  const held = new Set<ClaimedDelivery>();
  const attempts = new Set<Promise<void>>();
  let running = 0;
  let isFull = false;

  const clear = ({ waiting }: Lane): readonly ClaimedDelivery[] => {
    waiting.forEach((one) => held.delete(one));
    return waiting.splice(0);
  };
  const attempt = async (lane: Lane, delivery: ClaimedDelivery): Promise<void> => {
    lane.underWay.add(delivery);
    running += 1;
    const attempted = await send(delivery);
    lane.underWay.delete(delivery);
    running -= 1;
    lane.window = windowAfter(attempted.verdict, lane.window);
    if (endsLead(attempted.verdict) && lane.waiting.length > 0) giveBack(clear(lane));
    if (isFull) lanes.forEach(advance);
    else advance(lane, delivery.endpointId);
    // The next deliveries have started, without a wait for the disk.
    await store(attempted);
    held.delete(delivery);
    if (lane.waiting.length <= lane.refillAt) refill();
  };
  const advance = (lane: Lane, endpointId: string): void => {
    // After the end of its lease, a delivery belongs to the next claim, and no longer counts.
    const holding = (): number => [...lane.underWay].filter((one) => leftMs(one) > 0).length;
    while (lane.waiting.length > 0 && holding() < lane.window) {
      isFull = running >= max;
      const delivery = isFull ? undefined : lane.waiting.shift();
      if (!delivery) return;
      if (leftMs(delivery) < neededMs) {
        held.delete(delivery);
        continue;
      }
      const one = attempt(lane, delivery).finally(() => attempts.delete(one));
      attempts.add(one);
    }
    if (lane.underWay.size === 0 && lane.waiting.length === 0) lanes.delete(endpointId);
  };
  return {
    size: () => held.size,
    leases: () => [...new Set([...held].map(({ lease }) => lease))],
    add: (claimed) => {
      for (const [endpointId, deliveries] of Map.groupBy(claimed, (one) => one.endpointId)) {
        const lane = lanes.get(endpointId) ?? { window: 1, waiting: [], underWay: new Set(), refillAt: 0 };
        lanes.set(endpointId, fill(lane, deliveries));
        deliveries.forEach((one) => held.add(one));
      }
      lanes.forEach(advance);
    },
    empty: () => [...lanes.values()].flatMap(clear),
    done: () => Promise.all(attempts).then(() => undefined),
  };
}

function fill(lane: Lane, deliveries: readonly ClaimedDelivery[]): Lane {
  lane.waiting.push(...deliveries);
  lane.window = deliveries[0]?.window ?? lane.window;
  lane.refillAt = Math.floor(lane.waiting.length / 2);
  return lane;
}

/** The endpoint's row has the true window. The next claim reads it. */
function windowAfter(verdict: Verdict, window: number): number {
  if (verdict === 'success') return window;
  return verdict === 'throttled' ? Math.max(1, Math.floor(window / 2)) : 1;
}

/** An endpoint that fails gets one delivery at a time, or none while it is paused. */
const endsLead = (verdict: Verdict): boolean => verdict === 'failure' || verdict === 'gone';
