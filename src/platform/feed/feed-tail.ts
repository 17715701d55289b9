import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { startLoop, type Loop } from '../loop.ts';

/** An event at its place in its merchant account's feed. */
export type FeedRow = {
  readonly merchantAccountId: string;
  /** 1, 2, 3 and so on without a gap. */
  readonly sequence: bigint;
  readonly id: string;
  readonly name: string;
  readonly targetType: string;
  readonly targetId: string;
  /** The text that consumers get, byte for byte. */
  readonly payload: string;
  readonly createdAt: Date;
  /** The place after this event. */
  readonly cursor: string;
};

/** The newest rows of one merchant account's feed. */
export type FeedLane = {
  /** Returns at most `limit` rows after a sequence, oldest first. Null when memory does not reach back that far. */
  after(sequence: bigint, limit: number): readonly FeedRow[] | null;
  /** Waits for rows after a sequence. Returns false when none will come: the signal aborted or the tail stopped. */
  changed(sequence: bigint, signal: AbortSignal): Promise<boolean>;
  leave(): void;
};

/** The end of the feed in memory. One reader polls the database for all subscribers of a process. */
export type FeedTail = {
  /** Follows a merchant account from its head on, until its last subscriber leaves. */
  join(merchantAccountId: string, head: bigint): FeedLane;
  /** Reads at once, without waiting for the timer. */
  poke(): void;
  /** Ends the waiting of every subscriber. */
  stop(): Promise<void>;
};

/** Reads rows after a sequence for each lane, in order within a lane. May return only some of the rows. */
export type ReadLanes = (
  lanes: readonly { readonly merchantAccountId: string; readonly after: bigint }[],
) => Promise<readonly FeedRow[]>;

/**
 * Creates a tail that reads the feeds of subscribed merchant accounts, every 250 ms and when poked. The loop starts at
 * the first `join`.
 */
export function startFeedTail(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  read: ReadLanes,
): FeedTail {
  const lanes = new Map<string, Lane>();
  let loop: Loop | null = null;
  let stopped = false;
  const run = async (): Promise<boolean> => {
    if (lanes.size === 0) return false;
    const rows = await read(
      [...lanes.values()].map((lane) => ({ merchantAccountId: lane.id, after: headOf(lane) })),
    );
    const laneMax = Math.max(LANE_ROWS_MIN, Math.floor(ROWS_MAX / lanes.size));
    for (const [id, found] of Map.groupBy(rows, (row) => row.merchantAccountId)) {
      const lane = lanes.get(id);
      if (lane) append(lane, found, laneMax);
    }
    return rows.length > 0;
  };
  return {
    join: (merchantAccountId, head) => {
      if (!stopped) loop ??= startLoop({ name: 'feed-tail', idleMs: IDLE_MS, clock, log, run });
      const lane = lanes.get(merchantAccountId) ?? {
        id: merchantAccountId,
        rows: [],
        base: head,
        readers: 0,
        waiting: new Set(),
      };
      lanes.set(merchantAccountId, lane);
      lane.readers += 1;
      loop?.poke();
      return openLane(
        lane,
        () => stopped,
        () => lanes.delete(merchantAccountId),
      );
    },
    poke: () => loop?.poke(),
    stop: async () => {
      stopped = true;
      lanes.forEach(wake);
      await loop?.stop();
    },
  };
}

const IDLE_MS = 250;

/** The most rows in memory for all lanes together. A subscriber that falls behind them reads the database. */
const ROWS_MAX = 10_000;

/** The fewest rows of each lane. These rows suffice for a subscriber that reads promptly. */
const LANE_ROWS_MIN = 10;

type Lane = {
  readonly id: string;
  rows: FeedRow[];
  /** The sequence before the first row. */
  base: bigint;
  readers: number;
  readonly waiting: Set<() => void>;
};

const headOf = ({ base, rows }: Lane): bigint => base + BigInt(rows.length);

function append(lane: Lane, found: readonly FeedRow[], laneMax: number): void {
  const fresh = found.filter(({ sequence }) => sequence > headOf(lane));
  const [first] = fresh;
  if (!first) return;
  // The feed has no gaps, so retention has removed events here. Memory drops all earlier rows.
  if (first.sequence !== headOf(lane) + 1n) Object.assign(lane, { rows: [], base: first.sequence - 1n });
  lane.rows.push(...fresh);
  const surplus = lane.rows.length - laneMax;
  if (surplus > 0) Object.assign(lane, { rows: lane.rows.slice(surplus), base: lane.base + BigInt(surplus) });
  wake(lane);
}

function wake(lane: Lane): void {
  const waiting = [...lane.waiting];
  lane.waiting.clear();
  waiting.forEach((go) => go());
}

function openLane(lane: Lane, stopped: () => boolean, close: () => void): FeedLane {
  let left = false;
  return {
    after: (sequence, limit) => {
      if (sequence < lane.base) return null;
      const start = Number(sequence - lane.base);
      return lane.rows.slice(start, start + limit);
    },
    changed: async (sequence, signal) => {
      while (!signal.aborted && !stopped()) {
        if (headOf(lane) > sequence) return true;
        await nextWake(lane, signal);
      }
      return false;
    },
    leave: () => {
      if (left) return;
      left = true;
      lane.readers -= 1;
      if (lane.readers === 0) close();
    },
  };
}

function nextWake(lane: Lane, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      lane.waiting.delete(go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    lane.waiting.add(go);
    signal.addEventListener('abort', go, { once: true });
  });
}
