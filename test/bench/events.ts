import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintFromFile } from '../../src/cli/token.ts';
import { createApp } from '../../src/main.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { parseConfig } from '../../src/platform/config.ts';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import type { Settings } from '../support/command.ts';
import { query } from '../support/database.ts';
import { startPair } from '../support/payments.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { startChild } from './child.ts';
import { openDatabase } from './database.ts';
import { createEndpoint, measureDeliveries } from './events-deliveries.ts';
import { measureFanout, SOCKETS_EACH } from './events-fanout.ts';
import { describeEvents, type EventFigures } from './events-figures.ts';
import { measureEventLatency } from './events-latency.ts';
import { prepareLog } from './events-log.ts';
import { measureRelay } from './events-relay.ts';
import { measureWrites } from './events-writes.ts';

/** Merchant accounts that events are of, and one more that has the endpoints of the deliveries. */
const ACCOUNTS = 10;

/** Events: how many a second go through each part beside what the part stands on allows, and how soon consumers have them. */
export const runEvents: RunBench = async (options) => {
  const database = await openDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-bench-'));
  try {
    const { url } = database;
    await migrate(url);
    const settings = {
      DATABASE_URL: url,
      PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'error',
    };
    const figures = await measureAll(settings, folder, options);
    const [version] = await query<{ server_version: string }>(url, 'SHOW server_version');
    return [
      `Postgres ${version?.server_version}, ${database.settings}.`,
      ...describeEvents(figures, options),
    ].join('\n\n');
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
};

async function measureAll(
  settings: Settings & { readonly DATABASE_URL: string },
  folder: string,
  options: BenchOptions,
): Promise<EventFigures> {
  const databaseUrl = settings.DATABASE_URL;
  const [busy = '', ...accounts] = await prepareLog(databaseUrl, ACCOUNTS + 1);
  const wired = await createApp(parseConfig({ ...settings, PAYGRAPH_DATA_DIR: folder }));
  const { app } = wired;
  const writes = await measureWrites(databaseUrl, accounts, options);
  // What the writes left behind is no part of the relay's rounds.
  await query(databaseUrl, 'TRUNCATE event_pending');
  const relay = await measureRelay(app, databaseUrl, accounts, options);
  await query(databaseUrl, 'VACUUM ANALYZE');

  const servers = await startPair(settings);
  const [first] = servers;
  const mint = (merchantAccount: string): Promise<string> =>
    mintFromFile(first.dataFolder, { merchantAccount }, systemClock);
  const subscribers = startChild('subscribers.ts');
  const tokens = await Promise.all(accounts.map(mint));
  const socketUrl = `${first.url.replace('http', 'ws')}/graphql`;
  await subscribers.ask('subscribe', { url: socketUrl, tokens, socketsEach: SOCKETS_EACH });
  const fanout = await measureFanout({ subscribers, accounts, databaseUrl, options });

  const token = await mint(busy);
  const deliveries = await measureDeliveries({ servers, databaseUrl, account: busy, token, options });

  const receiver = startChild('webhook-receiver.ts');
  const address = await receiver.ask<string>('open');
  await Promise.all(tokens.map((each, index) => createEndpoint(first, each, `${address}/${index + 1}`)));
  const latencies = await measureEventLatency({
    ...{ app, databaseUrl, accounts, receiver, subscribers, options },
    subscribersEach: SOCKETS_EACH,
  });
  await Promise.all([subscribers.end(), receiver.end()]);
  await Promise.all(servers.map((server) => server.stop()));
  await wired.close();
  return { writes, relay, deliveries, fanout, latencies };
}
