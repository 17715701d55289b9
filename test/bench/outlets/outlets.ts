import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../../src/app.ts';
import { createApp } from '../../../src/main.ts';
import {
  createRelayHint,
  outletBacklogs,
  relayOnce,
  startOutlets,
  startRelay,
} from '../../../src/modules/events/index.ts';
import { HEADERS } from '../../../src/platform/brokers/broker.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import { until } from '../../support/until.ts';
import type { BenchOptions } from '../benches.ts';
import { inDatabase } from '../database.ts';
import { commitAll } from '../events-latency.ts';
import { BODY_BYTES, prepareLog, writeEvents } from '../events-log.ts';
import { table } from '../results.ts';
import { TAIL, tailOf } from '../statistics.ts';
import { rowOf, takeTurns, type Turns } from '../turns.ts';
import { startKafkaTarget, startNatsTarget, type BareMessage, type Target } from './targets.ts';

const ACCOUNTS = 50;
const EVENTS_PER_SECOND = 200;

const extentOf = ({ quick }: BenchOptions) =>
  quick
    ? { rounds: 1, each: 20, warmUp: 1, measured: 2 }
    : { rounds: 5, each: 1_000, warmUp: 5, measured: 30 };

/** The rates of a backlog, and the milliseconds from COMMIT to a consumer. */
type Measured = { readonly name: string; readonly rates: Turns; readonly latencies: readonly number[] };

/**
 * Measures the events a second into a NATS server and into a mock of Kafka, beside a bare client. Measures also the time from
 * commit to a consumer. `nats-server` and `kcat` must be on the PATH.
 */
export async function runOutlets(options: BenchOptions): Promise<string> {
  const measured: Measured[] = [];
  for (const start of [startNatsTarget, startKafkaTarget]) {
    const target = await start();
    try {
      measured.push(await measureTarget(target, options));
    } finally {
      await target.close();
    }
  }
  return describe(measured, options);
}

const measureTarget = (target: Target, options: BenchOptions): Promise<Measured> =>
  inDatabase('disk', async (settings) => {
    const folder = await mkdtemp(join(tmpdir(), 'paygraph-bench-'));
    const given = { ...settings, ...target.settings, PAYGRAPH_DATA_DIR: folder };
    const wired = await createApp(parseConfig(given));
    try {
      const accounts = await prepareLog(settings.DATABASE_URL, ACCOUNTS);
      const outlet = { app: wired.app, url: settings.DATABASE_URL, accounts };
      const rates = await measureRates(outlet, target, options);
      const latencies = await measureLatencies(outlet, target, options);
      return { name: target.name, rates, latencies };
    } finally {
      await wired.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

type Outlet = { readonly app: App; readonly url: string; readonly accounts: readonly string[] };

function measureRates({ app, url, accounts }: Outlet, target: Target, options: BenchOptions): Promise<Turns> {
  const { rounds, each } = extentOf(options);
  const rate = async (work: () => Promise<void>): Promise<number> => {
    const from = performance.now();
    await work();
    return (ACCOUNTS * each) / ((performance.now() - from) / 1_000);
  };
  return takeTurns({
    ...{ name: `events into ${target.name}`, rounds, options },
    ours: async () => {
      await writeEvents(url, accounts, each);
      while (await relayOnce(app)) continue;
      const outlets = startOutlets(app);
      try {
        return await rate(() => whenPublished(app));
      } finally {
        await outlets.stop();
      }
    },
    limit: () => {
      const messages = accounts.flatMap((account) => bareMessages(account, each));
      return rate(() => target.publish(messages));
    },
  });
}

const whenPublished = (app: App): Promise<void> =>
  until(async () => (await outletBacklogs(app))[0]?.events === 0, 'the outlet');

const bareMessages = (account: string, count: number): readonly BareMessage[] =>
  Array.from({ length: count }, (_, nth) => ({
    account,
    body: BODY,
    headers: {
      ...{ [HEADERS.id]: randomUUID(), [HEADERS.name]: 'transaction.captured', [HEADERS.version]: '1' },
      ...{ [HEADERS.sequence]: String(nth), [HEADERS.cursor]: 'c'.repeat(CURSOR_LETTERS) },
    },
  }));

const BODY = JSON.stringify({ note: 'x'.repeat(BODY_BYTES - '{"note":""}'.length) });
const CURSOR_LETTERS = 24;

/** Commits events at random moments, while a relay and the outlet run. */
async function measureLatencies(
  { app, url, accounts }: Outlet,
  target: Target,
  options: BenchOptions,
): Promise<readonly number[]> {
  const { warmUp, measured } = extentOf(options);
  const watched = await target.watch();
  const [relay, outlets] = [startRelay(app), startOutlets(app)];
  try {
    const events = (warmUp + measured) * EVENTS_PER_SECOND;
    options.progress(`${EVENTS_PER_SECOND} events a second for ${warmUp + measured} s into ${target.name}`);
    const hint = createRelayHint(app);
    const committed = await commitAll({
      databaseUrl: url,
      accounts,
      events,
      hint,
      perSecond: EVENTS_PER_SECOND,
    });
    const counted = [...committed].slice(warmUp * EVENTS_PER_SECOND);
    await until(() => counted.every(([id]) => watched.arrivals.has(id)), 'the consumer');
    return counted.map(([id, committedAt]) => (watched.arrivals.get(id) ?? NaN) - committedAt);
  } finally {
    await relay.stop();
    await outlets.stop();
    await watched.close();
  }
}

function describe(measured: readonly Measured[], options: BenchOptions): string {
  const { rounds, each, measured: seconds } = extentOf(options);
  return [
    `Events a second of a backlog of ${ACCOUNTS * each} events of ${BODY_BYTES} bytes, of ${ACCOUNTS} merchant accounts. Medians of ${rounds} ` +
      'rounds (lowest to highest). For the limit, a bare client of the broker publishes as many bytes, without reading a feed. Headers and ' +
      'acknowledgements are the same. NATS stores in files. The mock of Kafka keeps records in memory.',
    table([
      ['into', 'outlet', 'limit', 'ratio'],
      ...measured.map(({ name, rates }) => [name, ...rowOf(rates)]),
    ]),
    `Milliseconds from the return of COMMIT to a consumer of the broker. For ${seconds} s, ${EVENTS_PER_SECOND} events a second are ` +
      'committed at random moments. The consumer of NATS is a subscriber, and that of Kafka is kcat.',
    table([
      ['through', 'number', ...TAIL],
      ...measured.map(({ name, latencies }) => [name, ...tailOf(latencies)]),
    ]),
  ].join('\n\n');
}
