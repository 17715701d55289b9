import { createFairQueue } from './fair-queue.ts';

/** Turns of owners at the event loop. */
export type LoopTurns = {
  /** Runs work at once, or in the turn of its owner while the loop is busy. The work must not throw. */
  run(owner: string, work: () => void): void;
  /** Returns a promise of the turn of the owner. Null if the owner may go on at once. */
  next(owner: string): Promise<void> | null;
};

/**
 * After this time, further work waits for the next round of the loop. Between two rounds, Node takes the answers of Postgres and
 * reads the sockets of all accounts.
 */
const ROUND_MS = 2;

/**
 * Creates the turns. While nobody waits, work runs in the order of its arrival. Once a round has its fill, work waits, and each
 * later round belongs to one owner. So a thousand pieces of work of one account delay the others by one round.
 */
export function createLoopTurns(nowMs = (): number => performance.now()): LoopTurns {
  const queue = createFairQueue<() => void>();
  /** Null between two rounds. The owner is null while nobody waits. */
  let round: { readonly owner: string | null; readonly endsAtMs: number } | null = null;
  const begin = (owner: string | null): void => {
    round = { owner, endsAtMs: nowMs() + ROUND_MS };
    setImmediate(() => {
      round = null;
      const next = queue.take();
      if (!next) return;
      begin(next.owner);
      queue.charge(next.owner, 1);
      next.work();
    });
  };
  const mayGoOn = (owner: string): boolean => {
    if (round === null) begin(null);
    const isOpen = queue.size === 0 || round?.owner === owner;
    return isOpen && round !== null && nowMs() < round.endsAtMs;
  };
  return {
    run: (owner, work) => (mayGoOn(owner) ? work() : queue.add(owner, work)),
    next: (owner) => (mayGoOn(owner) ? null : new Promise<void>((resolve) => queue.add(owner, resolve))),
  };
}
