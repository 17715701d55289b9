import { mintFromFile, sandboxKeyFile } from '../../../src/cli/run/token.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { startProcess } from '../../support/process.ts';
import type { BenchOptions, RunBench } from '../benches.ts';
import { openConnection, type Connection } from '../connection.ts';
import { describeServer, inDatabase } from '../database.ts';
import { table } from '../results.ts';
import { percentile } from '../statistics.ts';
import { makeSums, READER, YEAR } from './rows.ts';

/** The payments of a year without `--rows`. */
const PAYMENTS_DEFAULT = [10_000_000];

/** The time in which a year by day must be answered, in milliseconds. */
const WANTED_MS = 50;

const SUM = '{ count amount }';
const SUMS = `startsAt value currency authorizationRate created ${SUM} authorized { count amount average } declined ${SUM}
  failed ${SUM} captured ${SUM} refunded ${SUM} voided ${SUM}`;
const SPREADS = `startsAt currency amountPercentiles { p50 p90 p95 p99 } answerTime { count average p50 p90 p95 p99 }`;

/** The reports, by title. */
const REPORTS: readonly { readonly title: string; readonly args: string; readonly fields: string }[] = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Asia/Kolkata', 'Asia/Kathmandu'].map(
    (zone) => ({
      title: `a year by day, ${zone}`,
      args: `interval: DAY, timeZone: "${zone}"`,
      fields: SUMS,
    }),
  ),
  {
    title: 'a year by day and payment service, Europe/Berlin',
    args: 'interval: DAY, timeZone: "Europe/Berlin", groupBy: PAYMENT_SERVICE',
    fields: SUMS,
  },
  {
    title: 'a year by day, one currency and three sums, Europe/Berlin',
    args: 'interval: DAY, timeZone: "Europe/Berlin", filter: { currency: ["EUR"] }',
    fields: `startsAt authorizationRate authorized ${SUM} captured ${SUM} refunded ${SUM}`,
  },
  { title: 'a year by week, Europe/Berlin', args: 'interval: WEEK, timeZone: "Europe/Berlin"', fields: SUMS },
  {
    title: 'a year by month, Europe/Berlin',
    args: 'interval: MONTH, timeZone: "Europe/Berlin"',
    fields: SUMS,
  },
  { title: 'percentiles of a year', args: '', fields: SPREADS },
  {
    title: 'percentiles of a year by month, Europe/Berlin',
    args: 'interval: MONTH, timeZone: "Europe/Berlin"',
    fields: SPREADS,
  },
];

/** Measures reports of a year, of an account that has so many payments in it. */
export const runReports: RunBench = async (options) => {
  const sections: string[] = [];
  for (const payments of options.rows ?? PAYMENTS_DEFAULT)
    sections.push(
      await inDatabase('disk', async (settings) => {
        options.progress(`the sums of ${payments.toLocaleString('en')} payments are made`);
        await makeSums(settings.DATABASE_URL, payments);
        const server = await startProcess({ ...settings, PAYGRAPH_ROLES: 'api' });
        try {
          const key = sandboxKeyFile(server.dataFolder);
          const token = await mintFromFile(key, { merchantAccount: READER }, systemClock);
          const connection = await openConnection(server.url, token);
          const lines: (readonly string[])[] = [];
          for (const report of REPORTS) lines.push(await measure(connection, report, options));
          connection.close();
          const head = `**${payments.toLocaleString('en')} payments in a year**, in three currencies. `;
          return `${head}${await describeServer(settings.DATABASE_URL)}\n\n${describe(lines)}`;
        } finally {
          await server.stop();
        }
      }),
    );
  return sections.join('\n\n');
};

type Answer = {
  readonly data?: { readonly transactionReport: { readonly rows: readonly unknown[] } };
  readonly errors?: unknown;
};

async function measure(
  connection: Connection,
  { title, args, fields }: (typeof REPORTS)[number],
  { quick, progress }: BenchOptions,
): Promise<readonly string[]> {
  const asked = `from: "${YEAR.from}", to: "${YEAR.to}"${args && `, ${args}`}`;
  const body = JSON.stringify({ query: `{ transactionReport(${asked}) { asOf rows { ${fields} } } }` });
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < (quick ? 3 : 30) + WARM_UP; round += 1) {
    const startedAt = performance.now();
    const answer = await connection.ask(body);
    if (round >= WARM_UP) times.push(performance.now() - startedAt);
    const { data, errors } = JSON.parse(answer) as Answer;
    if (!data) throw new Error(`${title}: ${JSON.stringify(errors)}`);
    rows = data.transactionReport.rows.length;
  }
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share).toFixed(1));
  progress(`${title}: ${p50} ms`);
  return [title, String(rows), p50 ?? '', p95 ?? ''];
}

/** The requests that do not count. They compile the operation and fill caches. */
const WARM_UP = 5;

const describe = (lines: readonly (readonly string[])[]): string =>
  [
    'Milliseconds of one request at a time over HTTP. The time ends with the last byte of the answer. ' +
      `Wanted: at most ${WANTED_MS} ms for a year by day.`,
    table([['report', 'rows', 'p50', 'p95'], ...lines]),
  ].join('\n\n');
