import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { takeDueReports } from './report-due.ts';

/** The most anti-fraud services that one process reports to at once. */
const AT_ONCE = 8;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 1_000;

/**
 * Starts the loop that reports events of checked payments to their anti-fraud services. Any number of processes may run the
 * loop. A service that does not answer holds back its own reports alone. A stop waits for the reports under way.
 */
export function startFraudReports(app: App): Loop {
  const { clock, log } = app;
  const underWay = new Set<Promise<void>>();
  const loop = startLoop({
    ...{ name: 'fraud reports', idleMs: IDLE_MS, clock, log },
    run: async (signal) => {
      if (underWay.size >= AT_ONCE) return false;
      for (const begun of await takeDueReports(app, AT_ONCE - underWay.size, signal)) {
        const work = begun.finally(() => {
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

/** Makes all reports that are due now, and waits for them. */
export async function reportDue(app: App): Promise<void> {
  await Promise.all(await takeDueReports(app, AT_ONCE, new AbortController().signal));
}
