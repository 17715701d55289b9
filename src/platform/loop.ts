import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { countRound } from './loop-health.ts';
import { tellOutages } from './outage.ts';

/** A worker that runs until it is stopped. */
export type Loop = {
  /** Starts the next round at once, without waiting for the timer. */
  poke(): void;
  /** Stops after the current round. Resolves at its end. */
  stop(): Promise<void>;
};

export type LoopSettings = {
  readonly name: string;
  /** The pause after a round without more work. */
  readonly idleMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Runs one round. True means more work: the next round starts at once. A throw is followed by the idle pause. The log tells
   * of an outage once, not in each round.
   */
  readonly run: (signal: AbortSignal) => Promise<boolean>;
};

/** The abort reason. Without a reason, each poke would create an error with a stack. */
const POKED = 'poked';

/** Starts a loop. Rounds never overlap. A poke during a round causes one more round. */
export function startLoop({ name, idleMs, clock, log, run }: LoopSettings): Loop {
  const stopped = new AbortController();
  let wake = new AbortController();
  const outages = tellOutages(
    {
      about: { loop: name },
      began: 'A background round failed. The loop retries it.',
      continues: 'The background loop still fails.',
      ended: 'The background loop works again.',
    },
    { clock, log },
  );
  const round = async (): Promise<boolean> => {
    try {
      const more = await run(stopped.signal);
      outages.worked();
      countRound(log, name, false);
      return more;
    } catch (error) {
      outages.failed(error);
      countRound(log, name, true);
      return false;
    }
  };
  const done = (async () => {
    while (!stopped.signal.aborted) {
      wake = new AbortController();
      const more = await round();
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
