import { Counter, Gauge } from 'prom-client';
import { oncePer } from './database/once-per.ts';
import type { Log } from './log.ts';

type LoopMetrics = { readonly rounds: Counter<'loop' | 'outcome'>; readonly failing: Gauge<'loop'> };

/** All loops of a process have its log, so the log finds the metrics of the process. */
const metricsOf: (log: Log) => LoopMetrics = oncePer(() => ({
  rounds: new Counter({
    name: 'paygraph_loop_rounds_total',
    help: 'Rounds of background loops of this process, by loop and outcome.',
    labelNames: ['loop', 'outcome'],
    registers: [],
  }),
  failing: new Gauge({
    name: 'paygraph_loop_failing',
    help: '1 for a background loop of this process whose latest round failed, else 0.',
    labelNames: ['loop'],
    registers: [],
  }),
}));

/** Counts a round of a loop that has ended. */
export function countRound(log: Log, loop: string, failed: boolean): void {
  const { rounds, failing } = metricsOf(log);
  rounds.inc({ loop, outcome: failed ? 'failed' : 'done' });
  failing.set({ loop }, failed ? 1 : 0);
}

/** Returns the metrics of the loops of this process. */
export const loopMetrics = (log: Log): readonly (Counter | Gauge)[] => Object.values(metricsOf(log));
