import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Recovery } from '../../src/connectors/interface/connector.ts';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { query } from '../support/database.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { judge, waitForRest } from '../support/judge.ts';
import { createService, startPair } from '../support/payments.ts';
import { startPostgresPair } from '../support/postgres-pair.ts';
import { startPooler } from '../support/pooler.ts';
import { startPostgres, type OwnPostgres } from '../support/postgres.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { replayAll, startStorm, type Storm } from './storm.ts';
import { PATIENCE } from '../support/patience.ts';
import { until } from '../support/until.ts';

/**
 * A `kill -9` of one server process or of both, an immediate stop of Postgres, or a failover. A failover kills all processes of the
 * primary, and promotes its synchronous standby.
 */
export type Disaster = 'kill' | 'kill_both' | 'stop_postgres' | 'failover';

/** The connector's way to resolve an unknown outcome: a repeat under the same key, or a look-up. */
export type ConnectorClass = Exclude<Recovery['kind'], 'none'>;

/** The observations of a round. */
export type Round = {
  /** Operations with a final answer to their clients. */
  readonly answered: number;
  /** Requests that were accepted but ended without an answer or with an error. */
  readonly broken: number;
  /** Operations that were pending after the disasters. */
  readonly left: number;
  /** The time from the last restart, after which nothing fails any more, until no operation was pending. */
  readonly restMs: number;
  /** For each failover, the time from the end of the promotion until an operation had its final answer. */
  readonly outagesMs: readonly number[];
  /** Answers that were requested again, at both servers. */
  readonly replays: number;
  /** The faults at the provider, with counts. */
  readonly faults: ReadonlyMap<string, number>;
  /** Every violation afterwards, as a sentence. */
  readonly violations: readonly string[];
};

/** Two server processes, a Postgres that can be stopped, and a provider whose books are the truth. */
export type Harness = {
  /** Runs payments with these disasters, one after the other, then a calm phase. Returns the verdict of the judge. */
  round(disasters: readonly Disaster[]): Promise<Round>;
  close(): Promise<void>;
};

/** The limit for settling everything. */
export const REST_LIMIT_MS = 30_000 * PATIENCE;

/** The fewest answers of a round. */
const ANSWERED_MIN = 50;

/** A short deadline, because an operation belongs to a killed process for the deadline and five seconds more. */
export const DEADLINE_MS = 500;

/** The name of a fault: the provider works after the caller's deadline. */
const TOO_LATE = 'work_after_deadline';

/** The program that limits the connector of the server's provider to look-ups. */
const LOOKUP_ONLY = fileURLToPath(new URL('lookup-only.ts', import.meta.url));

type Weather = {
  /** True while the provider is sometimes late. */
  rough: boolean;
  /** Counts the late calls so far. */
  late: number;
};

/** The database of the servers. */
type Database = {
  /** The settings of the servers that name the database. */
  readonly settings: Readonly<Record<string, string>>;
  /** Returns the address of the server that takes writes now. */
  primaryUrl(): string;
  /** Stops Postgres immediately, and starts it again. Refused by a pair. */
  restart(): Promise<void>;
  /** Runs a failover. Resolves after the promotion. The new standby is ready when `renewed` resolves. */
  failOver(): Promise<{ readonly renewed: Promise<void> }>;
  close(): Promise<void>;
};

type Rooms = {
  readonly database: Database;
  readonly provider: FakeProvider;
  readonly weather: Weather;
  readonly settings: Readonly<Record<string, string>>;
  readonly servers: [ServerProcess, ServerProcess];
  readonly paymentServiceId: string;
};

/** Opens the database of rounds without failovers. */
export const openSingle = async (): Promise<Database> => restartable(await startPostgres());

function restartable(postgres: OwnPostgres): Database {
  const url = postgres.url('postgres');
  return {
    settings: { DATABASE_URL: url },
    primaryUrl: () => url,
    restart: async () => {
      await postgres.stopImmediately();
      await delay(randomInt(300));
      await postgres.start();
    },
    failOver: () => Promise.reject(new Error('One server cannot fail over.')),
    close: () => postgres.close(),
  };
}

/** Opens the database of rounds with failovers. */
export async function openPair(): Promise<Database> {
  const pair = await startPostgresPair();
  return {
    settings: { DATABASE_URL: pair.url },
    primaryUrl: () => pair.primaryUrl(),
    restart: () => Promise.reject(new Error('A server of a pair is lost for good.')),
    failOver: async () => {
      await pair.killPrimary();
      await delay(randomInt(300));
      await pair.promote();
      return { renewed: pair.renewStandby() };
    },
    close: () => pair.close(),
  };
}

/** Opens the database of rounds behind a pooler. `root` is the folder of `findPgBouncer`. */
export async function openPooled(root: string): Promise<Database> {
  const postgres = await startPostgres();
  const pooler = await startPooler({ root, server: postgres.url('postgres'), readTimeoutMs: 5_000 });
  return {
    ...restartable(postgres),
    settings: pooler.settings('postgres'),
    close: async () => {
      await pooler.close();
      await postgres.close();
    },
  };
}

export async function openHarness(
  connectorClass: ConnectorClass = 'keys',
  open: () => Promise<Database> = openSingle,
): Promise<Harness> {
  const database = await open();
  const weather: Weather = { rough: false, late: 0 };
  // Some calls take effect only after the caller's deadline.
  const delayMs = (): number => {
    if (!weather.rough || randomInt(50) > 0) return randomInt(40);
    weather.late += 1;
    return DEADLINE_MS + 300;
  };
  const provider = await startFakeProvider({ delayMs, remembersKeys: connectorClass === 'keys' });
  await migrate(database.primaryUrl());
  const settings = {
    ...database.settings,
    PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
    PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS),
    ...(connectorClass === 'lookup' && { NODE_OPTIONS: `--import ${LOOKUP_ONLY}` }),
  };
  const servers = await startPair(settings);
  const paymentServiceId = await createService(servers[0], provider.url);
  const rooms = { database, provider, weather, settings, servers, paymentServiceId };
  return {
    round: (disasters) => round(rooms, disasters),
    close: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all([provider.close(), database.close()]);
    },
  };
}

async function round(rooms: Rooms, disasters: readonly Disaster[]): Promise<Round> {
  const { database, provider, servers, paymentServiceId, weather } = rooms;
  const [lateBefore, repeatsBefore] = [weather.late, provider.repeats.length];
  weather.rough = true;
  const storm = startStorm({ servers: () => servers, provider, paymentServiceId });
  let left = 0;
  const outagesMs: number[] = [];
  for (const disaster of disasters) {
    await delay(randomInt(200, 600));
    left +=
      disaster === 'failover'
        ? await failOver(rooms, storm, outagesMs)
        : await strike(rooms, storm, disaster);
  }
  // On a slow machine the disasters may be over before the first payments.
  const limit = performance.now() + REST_LIMIT_MS;
  while (storm.answered() < ANSWERED_MIN && performance.now() < limit) await delay(50);
  weather.rough = false;
  const startedAt = performance.now();
  const { answered, unanswered } = await storm.calm();
  const databaseUrl = database.primaryUrl();
  await waitForRest(databaseUrl, REST_LIMIT_MS);
  const restMs = Math.round(performance.now() - startedAt);
  const replays = await replayAll(answered, servers);
  return {
    answered: answered.length,
    broken: storm.broken(),
    left,
    restMs,
    outagesMs,
    replays: replays.count,
    faults: new Map([...storm.faults(), [TOO_LATE, weather.late - lateBefore]]),
    violations: [
      ...(restMs > REST_LIMIT_MS ? [`rest: it took ${restMs} ms`] : []),
      ...unanswered,
      ...(await judge(provider, databaseUrl)),
      ...provider.repeats.slice(repeatsBefore).map((key) => `books: ${key} was worked on again`),
      ...replays.differences,
      ...(await lost(servers)),
    ],
  };
}

/** Runs a disaster and restarts its victims. Returns the number of pending operations. */
async function strike(
  { database, servers, settings }: Rooms,
  storm: Storm,
  disaster: Disaster,
): Promise<number> {
  if (disaster === 'stop_postgres') {
    await database.restart();
    return countPending(database.primaryUrl());
  }
  const victims = disaster === 'kill_both' ? [0, 1] : [await busyOne(servers, storm)];
  await Promise.all(victims.map(async (index) => servers[index]?.kill()));
  const left = await countPending(database.primaryUrl());
  await Promise.all(
    victims.map(async (index) => {
      servers[index] = await startProcess(settings);
    }),
  );
  return left;
}

/** Runs a failover while requests are under way, and notes how long no operation ended. Returns the number of pending operations. */
async function failOver({ database, servers }: Rooms, storm: Storm, outagesMs: number[]): Promise<number> {
  await busyOne(servers, storm);
  const { renewed } = await database.failOver();
  const [promotedAt, answered] = [performance.now(), storm.answered()];
  const left = await countPending(database.primaryUrl());
  await until(() => storm.answered() > answered, 'a payment after the failover');
  outagesMs.push(Math.round(performance.now() - promotedAt));
  await renewed;
  return left;
}

/** Picks the server with more open requests, once there is something to lose. */
async function busyOne([first, second]: Rooms['servers'], storm: Storm): Promise<0 | 1> {
  for (const deadline = performance.now() + 10_000; ; await delay(1)) {
    const [one, other] = [storm.underWay(first), storm.underWay(second)];
    if (one + other > 1 || performance.now() > deadline) return one >= other ? 0 : 1;
  }
}

async function countPending(databaseUrl: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    databaseUrl,
    `SELECT count(*)::int FROM operation WHERE status = 'pending'`,
  );
  return row?.count ?? 0;
}

/** Reports each process that ended without being killed. */
async function lost(servers: readonly ServerProcess[]): Promise<string[]> {
  const ready = await Promise.all(
    servers.map(({ url }) =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  return ready.flatMap((ok, index) =>
    ok ? [] : [`server ${index} is not ready: ${servers[index]?.output().slice(-2_000)}`],
  );
}
