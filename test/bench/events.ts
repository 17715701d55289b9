import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '../../src/app.ts';
import { mintFromFile, sandboxKeyFile } from '../../src/cli/run/token.ts';
import { createApp } from '../../src/main.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { query } from '../support/database.ts';
import { startPair } from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { startChild, type Child } from './child.ts';
import { describeServer, inDatabase, places, type BenchSettings, type Place } from './database.ts';
import { createEndpoint, measureDeliveries } from './events-deliveries.ts';
import { measureFanout, SOCKETS_EACH } from './events-fanout.ts';
import { describeEvents, type EventFigures } from './events-figures.ts';
import { measureEventLatency, type EventLatencies } from './events-latency.ts';
import { prepareLog } from './events-log.ts';
import { measureRelay } from './events-relay.ts';
import { measureWrites } from './events-writes.ts';
import { LOSE_WAITING } from '../support/waiting-events.ts';

/** Merchant accounts with events. One more account has the endpoints of the deliveries. */
const ACCOUNTS = 10;

/**
 * Measures events: the rate of each part beside the limit of its foundation, and the delay until consumers receive
 * them.
 */
export const runEvents: RunBench = async (options) => {
  const [server, rates] = await inDatabase('disk', async (settings) => [
    await describeServer(settings.DATABASE_URL),
    await ratesIn(settings, options),
  ]);
  const latencies = new Map<Place, EventLatencies>();
  for (const place of await places()) {
    options.progress(`time to consumers, the database's files: ${place}`);
    latencies.set(place, await inDatabase(place, (settings) => latenciesIn(settings, options)));
  }
  return [server, ...describeEvents({ ...rates, latencies }, options)].join('\n\n');
};

async function ratesIn(
  settings: BenchSettings,
  options: BenchOptions,
): Promise<Omit<EventFigures, 'latencies'>> {
  const databaseUrl = settings.DATABASE_URL;
  const [busy = '', ...accounts] = await prepareLog(databaseUrl, ACCOUNTS + 1);
  const { writes, relay } = await withApp(settings, async (app) => {
    const ofWrites = await measureWrites(databaseUrl, accounts, options);
    // The rows of the writes must not count in the relay's rounds.
    await query(databaseUrl, LOSE_WAITING);
    return { writes: ofWrites, relay: await measureRelay(app, databaseUrl, accounts, options) };
  });
  await query(databaseUrl, 'VACUUM ANALYZE');

  const servers = await startPair(settings);
  const subscribers = await subscribe(servers[0], accounts);
  const fanout = await measureFanout({ subscribers, accounts, databaseUrl, options });
  const token = await mint(servers[0], busy);
  const deliveries = await measureDeliveries({ servers, databaseUrl, account: busy, token, options });
  await subscribers.end();
  await Promise.all(servers.map((server) => server.stop()));
  return { writes, relay, deliveries, fanout };
}

function latenciesIn(settings: BenchSettings, options: BenchOptions): Promise<EventLatencies> {
  return withApp(settings, async (app) => {
    const accounts = await prepareLog(settings.DATABASE_URL, ACCOUNTS);
    const servers = await startPair(settings);
    const subscribers = await subscribe(servers[0], accounts);
    const receiver = startChild('webhook-receiver.ts');
    const address = await receiver.ask<string>('open');
    await Promise.all(
      accounts.map(async (account, index) =>
        createEndpoint(servers[0], await mint(servers[0], account), `${address}/${index + 1}`),
      ),
    );
    const latencies = await measureEventLatency({
      ...{ app, databaseUrl: settings.DATABASE_URL, accounts, receiver, subscribers, options },
      subscribersEach: SOCKETS_EACH,
    });
    await Promise.all([subscribers.end(), receiver.end()]);
    await Promise.all(servers.map((server) => server.stop()));
    return latencies;
  });
}

/** Runs a function with an app of this process. The app has no background work. */
async function withApp<Value>(settings: BenchSettings, run: (app: App) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-bench-'));
  const wired = await createApp(parseConfig({ ...settings, PAYGRAPH_DATA_DIR: folder }));
  try {
    return await run(wired.app);
  } finally {
    await wired.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const mint = (server: ServerProcess, merchantAccount: string): Promise<string> =>
  mintFromFile(sandboxKeyFile(server.dataFolder), { merchantAccount }, systemClock);

/** Starts a process with the given number of sockets for each merchant account. */
async function subscribe(server: ServerProcess, accounts: readonly string[]): Promise<Child> {
  const subscribers = startChild('subscribers.ts');
  const tokens = await Promise.all(accounts.map((account) => mint(server, account)));
  const url = `${server.url.replace('http', 'ws')}/graphql`;
  await subscribers.ask('subscribe', { url, tokens, socketsEach: SOCKETS_EACH });
  return subscribers;
}
