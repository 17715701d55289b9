import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startRelay } from '../../src/modules/events/index.ts';
import type { EventsHarness } from '../events/harness.ts';
import { paygraph, type Running, type Settings } from '../support/command.ts';
import { query } from '../support/database.ts';
import { until } from '../support/until.ts';
import type { KafkaMock } from './kafka-mock.ts';
import type { NatsServer } from './nats-server.ts';

/** Disasters of one round: a process is killed, and its successor dies between acknowledgement and commit. */
const PROCESSES = 2;
const NATS_KILLS = 12;
const KAFKA_FREEZES = 3;

/** The disasters of a round. */
export const ROUND = PROCESSES + NATS_KILLS + KAFKA_FREEZES;

const FREEZE_MS = 150;
const WRITE_EVERY_MS = 10;

export type Storm = {
  readonly harness: EventsHarness;
  readonly nats: NatsServer;
  readonly kafka: KafkaMock;
  readonly accounts: readonly { readonly merchantAccountId: string }[];
  readonly rounds: number;
  /** A folder for the processes. */
  readonly folder: string;
  /** Gets every started process, so that none outlives the test. */
  readonly started: Running[];
};

/** Writes events, and kills brokers and processes meanwhile. Resolves once both outlets have published everything. */
export async function runStorm(storm: Storm): Promise<void> {
  const { harness, rounds } = storm;
  const relay = startRelay(harness.app);
  const writer = startWriter(storm);
  const settings = settingsOf(storm);
  const start = (failpoints: string): Running => {
    const running = paygraph(['start'], { ...settings, PAYGRAPH_FAILPOINTS: failpoints });
    storm.started.push(running);
    return running;
  };
  let steady = start('');
  let doomed = start(DIES);
  try {
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all([steady, doomed].map((each) => Promise.race([each.printed(STARTED), each.ended])));
      const next = start('');
      await steady.end('SIGKILL');
      // The first successor waits for the end of the leases, as in production. The test does not wait for the others.
      if (round > 0) await endLeases(harness.url);
      await doomed.ended;
      await endLeases(harness.url);
      await next.printed(STARTED);
      [steady, doomed] = [next, start(DIES)];
      await harassBrokers(storm);
    }
  } finally {
    await writer.stop();
    await doomed.end('SIGKILL');
  }
  await endLeases(harness.url);
  await until(async () => (await backlogOf(harness.url)) === 0, 'the outlets');
  await steady.end('SIGTERM');
  await relay.stop();
}

const STARTED = 'runs background work';
const DIES = 'outlet.published=kill';

async function harassBrokers({ harness: { url }, nats, kafka }: Storm): Promise<void> {
  for (let turn = 0; turn < NATS_KILLS; turn += 1) {
    await nats.kill();
    await delay((turn % 4) * 10);
    await nats.start();
    await progress(url, 'nats:paygraph');
    if (turn >= KAFKA_FREEZES) continue;
    kafka.freeze();
    await delay(FREEZE_MS);
    kafka.thaw();
    await progress(url, 'kafka:paygraph.events');
  }
}

const settingsOf = ({ harness, nats, kafka, folder }: Storm): Settings => ({
  ...{ DATABASE_URL: harness.url, PORT: '0', PAYGRAPH_ROLES: 'worker', LOG_LEVEL: 'info' },
  PAYGRAPH_DATA_DIR: folder,
  PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
  PAYGRAPH_OUTLET_NATS_URL: nats.url,
  PAYGRAPH_OUTLET_KAFKA_BROKERS: kafka.address,
});

/** Writes events of all accounts in turn until it is stopped. */
function startWriter({ harness, accounts }: Storm): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const done = (async () => {
    for (let nth = 0; !stopped.signal.aborted; nth += 1) {
      const account = accounts[nth % accounts.length];
      if (account)
        await harness.record(account as Parameters<EventsHarness['record']>[0], `test.e${nth % 3}`);
      await delay(WRITE_EVERY_MS);
    }
  })();
  return {
    stop: () => {
      stopped.abort();
      return done;
    },
  };
}

const endLeases = (url: string): Promise<unknown> => query(url, 'UPDATE outlet SET lease_until = now()');

/** Waits until an outlet has published another event. */
async function progress(url: string, outlet: string): Promise<void> {
  const read = async (): Promise<number> => {
    const [row] = await query<{ sum: number }>(
      url,
      'SELECT coalesce(sum(sequence), 0)::int AS sum FROM outlet_position WHERE outlet = $1',
      [outlet],
    );
    return row?.sum ?? 0;
  };
  const before = await read();
  await until(async () => (await read()) > before, `progress of ${outlet}`);
}

/** Counts the events that an outlet has not published, or that wait for the relay. */
async function backlogOf(url: string): Promise<number> {
  const [row] = await query<{ left: number }>(
    url,
    `SELECT ((SELECT count(*) FROM event) * 2 - (SELECT coalesce(sum(sequence), 0) FROM outlet_position))::int AS left`,
  );
  return row?.left ?? -1;
}
