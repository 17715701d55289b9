import { startLoop, type Loop, type LoopSettings } from './loop.ts';

/** A piece of work that a round has taken up. Must not reject. */
export type Work = () => Promise<void>;

export type WorksSettings = Omit<LoopSettings, 'run'> & {
  /** Takes up more work beside so much that is under way. A stop aborts the signal, and waits for the work. */
  readonly takeUp: (underWay: number, signal: AbortSignal) => Promise<readonly Work[]>;
};

/**
 * Starts a loop whose work outlasts its rounds. The end of each work starts the next round at once, because a place is free. Stopping
 * waits for the work under way.
 */
export function startWorks({ takeUp, ...settings }: WorksSettings): Loop {
  const underWay = new Set<Promise<void>>();
  const loop: Loop = startLoop({
    ...settings,
    run: async (signal) => {
      for (const run of await takeUp(underWay.size, signal)) {
        const work = run().finally(() => {
          underWay.delete(work);
          loop.poke();
        });
        underWay.add(work);
      }
      return false;
    },
  });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
