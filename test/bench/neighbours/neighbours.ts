import { startProcess } from '../../support/process.ts';
import type { RunBench } from '../benches.ts';
import { DEFAULT_BUDGETS, describeServer, inDatabase } from '../database.ts';
import { table } from '../results.ts';
import { median, percentile } from '../statistics.ts';
import { ATTACKS, type AttackName } from './attacks.ts';
import { createNeighbour, measureBeside, type Beside } from './measure.ts';

/** Measures the payments of one merchant account beside everything that its neighbour may do. */
export const runNeighbours: RunBench = ({ quick, progress }) =>
  inDatabase('disk', async (base) => {
    const { DATABASE_URL } = base;
    const server = await startProcess({ ...base, ...DEFAULT_BUDGETS });
    const neighbour = await createNeighbour(server, DATABASE_URL);
    const extent = quick ? { payments: 20, aloneMs: 1_000 } : { payments: 200, aloneMs: 5_000 };
    const rows: (readonly string[])[] = [];
    for (const name of Object.keys(ATTACKS) as AttackName[]) {
      const beside = await measureBeside(name, { server, neighbour, ...extent });
      rows.push(rowOf(name, beside));
      progress(rows.at(-1)?.join(' | ') ?? '');
    }
    await server.stop();
    return [await describeServer(DATABASE_URL), WHAT, table([HEAD, ...rows])].join('\n\n');
  });

const WHAT =
  'Milliseconds of `createTransaction` of one merchant account with the built-in provider, one payment after another. In turn the ' +
  'account pays alone, and beside a neighbour. The neighbour does as much as the budgets of a new installation allow. Wanted at ' +
  'most: twice the p50 alone plus 10 ms, and four times the p99 alone plus 50 ms. The last columns are the ' +
  "neighbour's answers a second, alone and beside the payments.";

const HEAD = ['the neighbour', 'p50 alone', 'p50', 'p99 alone', 'p99', 'alone', 'beside'];

function rowOf(name: string, { alone, beside, rateAlone, rate }: Beside): readonly string[] {
  const ms = [median(alone), median(beside), percentile(alone, 0.99), percentile(beside, 0.99)];
  return [name, ...ms.map((each) => each.toFixed(1)), rateAlone.toFixed(0), rate.toFixed(0)];
}
