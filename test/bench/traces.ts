import { startReceiver } from '../support/receiver.ts';
import { startProcess } from '../support/process.ts';
import type { BenchOptions } from './benches.ts';
import { inDatabase, type BenchSettings } from './database.ts';
import { drained, measureRound, openGraphql, VERBS } from './money-rates.ts';
import { table } from './results.ts';
import { median, spread } from './statistics.ts';

const SIDES = ['off', '10', '100'] as const;

/** Measures the processor time of payments in processes that record no trace, a tenth, and all. One collector takes them. */
export const runTraces = (options: BenchOptions): Promise<string> =>
  inDatabase('disk', (settings) => measure(settings, options));

async function measure(settings: BenchSettings, options: BenchOptions): Promise<string> {
  const collector = await startReceiver();
  collector.answer(200);
  // A process with both roles would do background work for the others.
  const worker = await startProcess(settings);
  const sides = await Promise.all(
    SIDES.map(async (percent) => {
      const traces =
        percent === 'off'
          ? {}
          : { PAYGRAPH_TRACES_URL: `${collector.url}v1/traces`, PAYGRAPH_TRACES_PERCENT: percent };
      const server = await startProcess({ ...settings, PAYGRAPH_ROLES: 'api', ...traces });
      return { percent, server, taken: [] as number[] };
    }),
  );
  const { rounds, operations } = options.quick
    ? { rounds: 1, operations: 50 }
    : { rounds: 9, operations: 500 };
  for (let round = 0; round <= rounds; round += 1) {
    // Each side is first in its turn.
    for (const side of [...sides.slice(round % SIDES.length), ...sides.slice(0, round % SIDES.length)]) {
      // A connection that waits for its turn would be closed.
      const lanes = await openGraphql({ url: side.server.url, token: worker.token });
      const measured = await measureRound(lanes.run, side.server.pid, operations);
      await lanes.close();
      await drained(settings.DATABASE_URL);
      const ms = VERBS.reduce((sum, verb) => sum + (measured[verb].serverCpuMs ?? NaN), 0);
      if (round > 0) side.taken.push(ms);
      options.progress(`round ${round} of ${rounds}, ${side.percent}: ${ms.toFixed(2)} ms`);
    }
  }
  await Promise.all([...sides.map(({ server }) => server.stop()), worker.stop(), collector.close()]);
  const off = median(sides[0]?.taken ?? []);
  return (
    `Milliseconds of the server's processor for a payment that is authorised, captured and refunded. Each side has ${rounds} rounds of ` +
    `${operations} in turn, after one round to warm up. The figures are medians (lowest to highest). Wanted: at most 1.05 with a tenth.\n\n` +
    table([
      ['traces recorded', 'processor time', 'to none'],
      ...sides.map(({ percent, taken }) => [
        percent === 'off' ? 'none' : `${percent} %`,
        spread(taken, 2),
        (median(taken) / off).toFixed(2),
      ]),
    ])
  );
}
