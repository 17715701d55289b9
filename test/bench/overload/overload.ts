import { startProcess } from '../../support/process.ts';
import type { RunBench } from '../benches.ts';
import { DEFAULT_BUDGETS, describeServer, inDatabase } from '../database.ts';
import { table } from '../results.ts';
import { percentile } from '../statistics.ts';
import { ACCOUNTS, measureOverload, TIMES } from './measure.ts';

/** Measures what merchant accounts get done that want more together than the process can do. */
export const runOverload: RunBench = ({ quick }) =>
  inDatabase('disk', async (base) => {
    const { DATABASE_URL } = base;
    const server = await startProcess({ ...base, ...DEFAULT_BUDGETS });
    const extent = quick
      ? { capacityMs: 2_000, overloadMs: 5_000 }
      : { capacityMs: 20_000, overloadMs: 120_000 };
    const measured = await measureOverload({ server, databaseUrl: DATABASE_URL, ...extent });
    await server.stop();
    const { capacity, goodput, fewest, refused, others, durations, lost, aloneMs, recoverySeconds } =
      measured;
    const rows = [
      ['capacity, two payments of each account at once', `${capacity.toFixed(1)} a second`, ''],
      ['authorised', `${goodput.toFixed(1)} a second`, `at least ${(0.9 * capacity).toFixed(1)}`],
      [
        'authorised for the account with the fewest',
        `${fewest.toFixed(2)} a second`,
        `at least ${(capacity / ACCOUNTS / 2).toFixed(2)}`,
      ],
      ['refused with 429 and Retry-After', `${refused.toFixed(1)} a second`, ''],
      ['other answers', String(others.length), 'none'],
      ['lost payments or events', String(lost), 'none'],
      ['p50 of a payment alone, before', `${aloneMs.toFixed(1)} ms`, ''],
      ['p50 of a payment', `${percentile(durations, 0.5).toFixed(0)} ms`, ''],
      ['p99 of a payment', `${percentile(durations, 0.99).toFixed(0)} ms`, ''],
      ['back to twice the p50 alone plus 10 ms', `${recoverySeconds.toFixed(1)} s`, 'at most 5 s'],
    ];
    return [
      await describeServer(DATABASE_URL),
      WHAT,
      table([['', 'measured', 'wanted'], ...rows]),
      ...others.slice(0, 3),
    ].join('\n\n');
  });

const WHAT =
  `${ACCOUNTS} merchant accounts authorise ${TIMES} times as many payments as the process can. One account wants a third of these ` +
  'payments, and the others share the rest. The callers run on the same machine.';
