import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** A worker that runs until it is stopped. */
export type Loop = {
  /** Runs the next round at once instead of waiting for the timer. */
  poke(): void;
  /** Ends after the round under way; resolves when it has. */
  stop(): Promise<void>;
};

export type LoopSettings = {
  readonly name: string;
  /** Pause after a round that found nothing more to do. */
  readonly idleMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** One round. True: there is more, go on at once. A throw is logged and the loop waits as when idle. */
  readonly run: (signal: AbortSignal) => Promise<boolean>;
};

/** Nobody sees it. Without a reason of ours an error is made at each poke, stack and all. */
const POKED = 'poked';

/** Starts a loop: rounds never overlap, a poke during a round makes one more round follow. */
export function startLoop({ name, idleMs, clock, log, run }: LoopSettings): Loop {
  const stopped = new AbortController();
  let wake = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      wake = new AbortController();
      const more = await run(stopped.signal).catch((error: unknown) => {
        log.error({ loop: name, err: error }, 'A background round failed; it is tried again.');
        return false;
      });
      if (!more) await clock.sleep(idleMs, AbortSignal.any([wake.signal, stopped.signal]));
    }
  })();
  return {
    poke: () => wake.abort(POKED),
    stop: () => {
      stopped.abort();
      return done;
    },
  };
}
