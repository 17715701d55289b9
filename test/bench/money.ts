import { randomBytes } from 'node:crypto';
import { query } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { openDatabase } from './database.ts';
import { measureLatency, PER_SECOND, PROVIDER_MS, seconds, type Latencies } from './money-latency.ts';
import { extent, measureRates, PARALLEL, VERBS, type Rates } from './money-rates.ts';
import { recordOperations } from './money-statements.ts';
import { table } from './results.ts';
import { median, percentile, spread } from './statistics.ts';

/** Money operations: how many a second beside what the database allows, at how many round trips, how much they add. */
export const runMoney: RunBench = async (options) => {
  const database = await openDatabase();
  try {
    const { url } = database;
    await migrate(url);
    const settings = {
      DATABASE_URL: url,
      PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'error',
    };
    options.progress('one operation of each kind is recorded');
    const recordings = await recordOperations(settings);
    const server = await startProcess(settings);
    const rates = await measureRates({ server, databaseUrl: url, recordings, options });
    const latencies = await measureLatency(server, options);
    await server.stop();
    const [version] = await query<{ server_version: string }>(url, 'SHOW server_version');
    return [
      `Postgres ${version?.server_version}, ${database.settings}.`,
      describeRates(rates, options),
      describeRoundTrips(recordings),
      describeLatencies(latencies, options),
    ].join('\n\n');
  } finally {
    await database.close();
  }
};

const WORDS = { authorize: 'authorise', capture: 'capture', refund: 'refund', void: 'void' } as const;

function describeRates(rates: Rates, options: BenchOptions): string {
  const { rounds, operations } = extent(options);
  const rows = VERBS.map((verb) => {
    const { graphql, limit } = rates[verb];
    const [ours, bare] = [graphql, limit].map((each) => each.map(({ perSecond }) => perSecond));
    const cpu = graphql.flatMap(({ serverCpuMs }) => serverCpuMs ?? []);
    return [
      WORDS[verb],
      spread(ours ?? []),
      spread(bare ?? []),
      (median(ours ?? []) / median(bare ?? [])).toFixed(2),
      cpu.length > 0 ? `${median(cpu).toFixed(2)} ms` : '',
    ];
  });
  return (
    `Operations a second, ${PARALLEL} at once: through GraphQL over HTTP with the built-in provider, each with an idempotency ` +
    `key, and the same claim and settle statements through the bare driver. ${rounds} rounds of ${operations} each by turns ` +
    'after one to warm up; median (lowest to highest). Wanted: a ratio of at least 0.50.\n\n' +
    table([['', 'GraphQL', 'limit', 'ratio', 'CPU of the server for one'], ...rows])
  );
}

function describeRoundTrips(recordings: Awaited<ReturnType<typeof recordOperations>>): string {
  const rows = Object.entries(recordings).map(([verb, { sent }]) => [
    WORDS[verb as keyof typeof WORDS],
    String(sent.length),
    sent.map(({ name }) => `\`${name}\``).join(', '),
  ]);
  return (
    'Round trips to the database for one operation. Wanted: at most two for capture, refund and void.\n\n' +
    table([['', 'round trips', 'statements'], ...rows])
  );
}

function describeLatencies(latencies: Latencies, options: BenchOptions): string {
  const { measured } = seconds(options);
  const row = (name: string, sample: readonly number[]): string[] => [
    name,
    String(sample.length),
    percentile(sample, 0.5).toFixed(1),
    percentile(sample, 0.99).toFixed(1),
    Math.max(...sample).toFixed(1),
  ];
  const all = VERBS.flatMap((verb) => latencies[verb]);
  const rows = VERBS.map((verb) => row(WORDS[verb], latencies[verb]));
  return (
    `Milliseconds that an operation takes beside its provider's ${PROVIDER_MS}, at ${PER_SECOND} operations a second that arrive ` +
    `at random moments for ${measured} s. Wanted: p50 at most 15, p99 at most 50.\n\n` +
    table([['', 'operations', 'p50', 'p99', 'highest'], ...rows, row('all', all)])
  );
}
