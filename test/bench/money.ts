import { startProcess } from '../support/process.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { describeServer, inDatabase, places, type BenchSettings, type Place } from './database.ts';
import { measureLatency, PER_SECOND, PROVIDER_MS, seconds, type Latencies } from './money-latency.ts';
import { extent, measureRates, PARALLEL, VERBS, type Rates } from './money-rates.ts';
import { recordOperations, tripsOf } from './money-statements.ts';
import { table } from './results.ts';
import { median, spread, TAIL, tailOf } from './statistics.ts';

/** Measures money operations: the rate beside the database's limit, the number of round trips, and the added time. */
export const runMoney: RunBench = async (options) => {
  const rates = await inDatabase('disk', (settings) => describeRatesIn(settings, options));
  const latencies: string[][] = [];
  for (const place of await places()) {
    options.progress(`added latency, the database's files: ${place}`);
    const measured = await inDatabase(place, (settings) => latenciesIn(settings, options));
    latencies.push(...rowsOf(place, measured));
  }
  return `${rates}\n\n${describeLatencies(latencies, options)}`;
};

async function describeRatesIn(settings: BenchSettings, options: BenchOptions): Promise<string> {
  options.progress('one operation of each kind is recorded');
  const recordings = await recordOperations(settings);
  const server = await startProcess(settings);
  const rates = await measureRates({ server, databaseUrl: settings.DATABASE_URL, recordings, options });
  await server.stop();
  return [
    await describeServer(settings.DATABASE_URL),
    describeRates(rates, options),
    describeRoundTrips(recordings),
  ].join('\n\n');
}

async function latenciesIn(settings: BenchSettings, options: BenchOptions): Promise<Latencies> {
  const server = await startProcess(settings);
  try {
    return await measureLatency({ server, databaseUrl: settings.DATABASE_URL, options });
  } finally {
    await server.stop();
  }
}

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
    `Operations a second, ${PARALLEL} at once, through GraphQL over HTTP with the built-in provider. Each has an idempotency ` +
    'key. For the limit the bare driver sends the same claim and settle statements. ' +
    `Each side has ${rounds} rounds of ${operations} in turn, after one round to warm up. ` +
    'The figures are medians (lowest to highest). Wanted: a ratio of at least 0.50.\n\n' +
    table([['', 'GraphQL', 'limit', 'ratio', 'CPU of the server for one'], ...rows])
  );
}

function describeRoundTrips(recordings: Awaited<ReturnType<typeof recordOperations>>): string {
  const rows = Object.entries(recordings).map(([verb, { sent }]) => {
    const trips = tripsOf(sent).map((trip) => trip.map(({ name }) => `\`${name}\``).join(' with '));
    return [WORDS[verb as keyof typeof WORDS], String(trips.length), trips.join(', ')];
  });
  return (
    'Round trips to the database for one operation. Wanted: at most three to authorise, and two to capture, refund or void.\n\n' +
    table([['', 'round trips', 'statements'], ...rows])
  );
}

function rowsOf(place: Place, { operations, commits }: Latencies): string[][] {
  const all = VERBS.flatMap((verb) => operations[verb]);
  const row = (name: string, sample: readonly number[]): string[] => [place, name, ...tailOf(sample)];
  return [
    ...VERBS.map((verb) => row(WORDS[verb], operations[verb])),
    row('all', all),
    row('one row by the bare driver', commits),
  ];
}

function describeLatencies(rows: readonly string[][], options: BenchOptions): string {
  const { measured } = seconds(options);
  return (
    `Milliseconds that an operation takes beside its provider's ${PROVIDER_MS}. For ${measured} s, ${PER_SECOND} operations a second ` +
    'arrive at random moments. In the same seconds the bare driver commits as many rows, which wait for the disk too. ' +
    'Wanted: p50 at most 15, p99 at most 50.\n\n' +
    table([['files in', '', 'number', ...TAIL], ...rows])
  );
}
