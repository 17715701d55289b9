import { createActivity } from './activity.ts';
import { createFairQueue } from './fair-queue.ts';
import { isAccount } from './owner.ts';

/** Turns of owners at the connections of a pool. */
export type ConnectionTurns = {
  /**
   * Starts work at once and returns null, or starts the work in its turn. Then returns a function that gives up the waiting, and
   * tells whether the work still waited.
   */
  ask(owner: string, start: (turn: Turn) => void): (() => boolean) | null;
  /** Ends a turn, counts its time, and starts the work that waits. */
  end(turn: Turn): void;
  /**
   * Returns how long the oldest waiting work of the owner waits, in milliseconds. Zero if none waits, and while no turn of anybody
   * has ended since. Then the database hangs, and no account is to blame.
   */
  waitedMs(owner: string): number;
  /** Returns the number of works that wait. */
  waits(): number;
};

/** The use of one connection by an owner. */
export type Turn = { readonly owner: string; readonly startedAtMs: number; readonly expectedMs: number };

/**
 * A merchant account holds at most this part of the connections while another one is active. Postgres shares its processors among
 * all running statements, so each further statement slows the others down. On two processors, a payment took 17 ms alone.
 * Beside 40 payments at once of a neighbour, a quarter of 16 made that 63 ms. An eighth made it 40 ms.
 */
const SHARE = 1 / 8;

/** Work that waits for its turn. */
type Waiting = { readonly start: (turn: Turn) => void; readonly askedAtMs: number };

/** The weight of the newest turn in the expected time of the next one. */
const NEWEST = 0.05;

/**
 * Creates the turns at a number of connections. The owner whose turns took the least time goes first. A connection idles beside
 * waiting work only if the account of that work has its share beside another active account.
 *
 * Background work has no such limit. A loop may hold a connection for its lock and need a second one to end.
 */
export function createConnectionTurns(
  connections: number,
  nowMs = (): number => performance.now(),
): ConnectionTurns {
  const share = Math.max(2, Math.ceil(connections * SHARE));
  const queue = createFairQueue<Waiting>();
  const activity = createActivity();
  const held = new Map<string, number>();
  let free = connections;
  let expectedMs = 1;
  let endedAtMs = -Infinity;
  const hold = (owner: string, change: 1 | -1): void => {
    const holds = (held.get(owner) ?? 0) + change;
    if (holds === 0) held.delete(owner);
    else held.set(owner, holds);
    free -= change;
  };
  const isFree = (owner: string): boolean => !isAccount(owner) || (held.get(owner) ?? 0) < share;
  const mayHold = (owner: string): boolean =>
    free > 0 && (isFree(owner) || !activity.isBesideOthers(owner, nowMs()));
  const begin = (owner: string, start: (turn: Turn) => void): void => {
    hold(owner, 1);
    // The real time is known at the end. Until then, the turn counts as an average one.
    queue.pass(owner, expectedMs);
    start({ owner, startedAtMs: nowMs(), expectedMs });
  };
  const startWaiting = (): void => {
    for (let next = queue.take(mayHold); next; next = queue.take(mayHold)) begin(next.owner, next.work.start);
  };
  return {
    ask: (owner, start) => {
      const askedAtMs = nowMs();
      activity.note(owner, askedAtMs);
      if (!queue.has(owner) && mayHold(owner)) {
        begin(owner, start);
        return null;
      }
      const work = { start, askedAtMs };
      queue.add(owner, work);
      // The work of a held back owner may go on once the other accounts are active no more.
      startWaiting();
      return () => queue.remove(owner, work);
    },
    end: (turn) => {
      const now = nowMs();
      const tookMs = now - turn.startedAtMs;
      endedAtMs = now;
      hold(turn.owner, -1);
      queue.charge(turn.owner, tookMs - turn.expectedMs);
      expectedMs += NEWEST * (tookMs - expectedMs);
      activity.note(turn.owner, now);
      startWaiting();
    },
    waits: () => queue.size,
    waitedMs: (owner) => {
      const oldest = queue.oldest(owner);
      return oldest && oldest.askedAtMs < endedAtMs ? nowMs() - oldest.askedAtMs : 0;
    },
  };
}
