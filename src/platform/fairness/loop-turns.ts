import { createFairQueue } from './fair-queue.ts';

/** Turns of owners at the event loop. */
export type LoopTurns = {
  /**
   * Runs work at once, or in the turn of its owner while the loop is busy. It goes before the steps of the owner's lines. The work must
   * not throw.
   */
  run(owner: string, work: () => void): void;
  /**
   * Returns how long the oldest waiting work of the owner waits, in milliseconds. Zero if none waits. Steps of a line do not count: a
   * thousand subscribers that catch up may wait for long.
   */
  waitedMs(owner: string): number;
  /** Opens a line of steps that follow each other by promises, such as the events of a subscriber. */
  openLine(owner: string): LoopLine;
};

export type LoopLine = {
  /** Returns null if the next step may go on at once, and otherwise the promise of its turn. */
  next(): Promise<void> | null;
};

/**
 * After this time, all further work waits for the next round of the loop. Between two rounds, Node takes the answers of Postgres
 * and reads the sockets of all accounts.
 */
const ROUND_MS = 2;

/** A piece of work and the line that goes on with it. Null for work of a single step. */
type Piece = { readonly begin: () => void; readonly line: LoopLine | null; readonly askedAtMs: number };

/**
 * Creates the turns. While nobody waits, work runs in the order of its arrival. Otherwise, the owner whose pieces took the least
 * time goes next.
 *
 * A line keeps its turn until its promises wait for something else, or until the round ends. So a subscriber gets many events in
 * one write to its socket.
 */
export function createLoopTurns(nowMs = (): number => performance.now()): LoopTurns {
  const queue = createFairQueue<Piece>();
  let roundEndsAtMs: number | null = null;
  let running: {
    readonly owner: string;
    readonly line: LoopLine | null;
    readonly startedAtMs: number;
  } | null = null;
  const roundHasTime = (): boolean => {
    if (roundEndsAtMs === null) {
      roundEndsAtMs = nowMs() + ROUND_MS;
      setImmediate(() => {
        roundEndsAtMs = null;
        startNext();
      });
    }
    return nowMs() < roundEndsAtMs;
  };
  const startNext = (): void => {
    if (running || queue.size === 0 || !roundHasTime()) return;
    const next = queue.take();
    if (!next) return;
    const { owner, work } = next;
    running = { owner, line: work.line, startedAtMs: nowMs() };
    work.begin();
    // The tick comes after all promises that the piece can go on with.
    queueMicrotask(() => process.nextTick(endPiece));
  };
  const endPiece = (): void => {
    if (!running) return;
    queue.charge(running.owner, nowMs() - running.startedAtMs);
    running = null;
    startNext();
  };
  return {
    run: (owner, work) => {
      if (!running && queue.size === 0 && roundHasTime()) work();
      else queue.add(owner, { begin: work, line: null, askedAtMs: nowMs() }, ({ line }) => line !== null);
    },
    waitedMs: (owner) => {
      const oldest = queue.oldest(owner, ({ line }) => line === null);
      return oldest ? nowMs() - oldest.askedAtMs : 0;
    },
    openLine: (owner) => {
      const line: LoopLine = {
        next: () => {
          if (running?.line === line && roundHasTime()) return null;
          return new Promise((resolve) => {
            queue.add(owner, { begin: resolve, line, askedAtMs: nowMs() });
            process.nextTick(startNext);
          });
        },
      };
      return line;
    },
  };
}
