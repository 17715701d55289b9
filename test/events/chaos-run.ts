import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { query } from '../support/database.ts';
import { startFakeProvider } from '../support/fake-provider.ts';
import { createService } from '../support/payments.ts';
import { startPostgres, type OwnPostgres } from '../support/postgres.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { judgeChaos, readWholeFeed } from './chaos-judge.ts';
import { startLoad } from './chaos-load.ts';
import { startReceivers, type ChaosReceiver } from './chaos-receivers.ts';
import { useSmallPartitions } from '../support/small-partitions.ts';
import { PATIENCE } from '../support/patience.ts';
import { COUNT_WAITING } from '../support/waiting-events.ts';

/** The acts and observations of a run. */
export type ChaosRun = {
  readonly seed: number;
  readonly kills: number;
  readonly restarts: number;
  readonly answered: number;
  readonly broken: number;
  readonly events: number;
  /** The time from the last disaster until every client had its answers and no work was pending. */
  readonly calmMs: number;
  readonly receivers: readonly ReceiverReport[];
  /** Recorded attempts without success, by their causes. */
  readonly failures: readonly Failures[];
  /** The share of answered requests whose event had been answered before. Without the dropping receiver. */
  readonly duplicateShare: number;
  readonly violations: readonly string[];
};

export type Failures = { readonly what: string; readonly count: number };

export type ReceiverReport = {
  readonly name: string;
  readonly events: number;
  readonly answered: number;
  /** The requests that the receiver broke off, and how many of them after reading. */
  readonly dropped: number;
  readonly droppedAfterReading: number;
};

const FAILURES = `
  SELECT coalesce(error, status_code::text) AS what, count(*)::int FROM delivery_attempt
  WHERE status_code IS DISTINCT FROM 204 GROUP BY 1 ORDER BY 1`;

/** A run has many partitions, and processes die while they create them. */
const PARTITION = 100;

/** Leases of killed processes end after 30 s. The remaining deliveries take seconds. */
const CALM_LIMIT_MS = 60_000 * PATIENCE;

/** A killed process owns its operation for this deadline and five seconds more. */
const PROVIDER_DEADLINE_MS = 500;

/** A server starts slowly on a busy machine. The disasters then continue until this count. */
const KILLS_MIN = 6;
const RESTARTS_MIN = 2;

/** The answers that give the shares of a run a meaning. A slow machine gets more time for them. */
const ANSWERED_MIN = 150;
const RAGE_MORE_MAX_MS = 60_000;

/** The interval between restarts of Postgres, in a long run. */
const RESTART_EVERY_MS = 20_000;

const START_TRIES = 5;

/**
 * Creates disasters for the given time, with randomness from the seed. After the calm phase every check must hold.
 */
export async function runChaos(seed: number, durationMs: number): Promise<ChaosRun> {
  const random = createRandom(seed);
  const delayMs = (): number => random.int(0, 30);
  const [postgres, provider, receivers] = await Promise.all([
    startPostgres(),
    startFakeProvider({ delayMs }),
    startReceivers(createRandom(seed, 1)),
  ]);
  const databaseUrl = postgres.url('postgres');
  await migrate(databaseUrl);
  await useSmallPartitions(databaseUrl, PARTITION);
  const harness = await openChaos({ random, postgres, databaseUrl, receivers });
  const paymentServiceId = await createService(harness.one(), provider.url);
  const endpointIds = await createEndpoints(harness.one(), receivers);
  const load = startLoad({ servers: harness.servers, paymentServiceId, random: createRandom(seed, 2) });

  await waitForDrops(receivers, performance.now() + CALM_LIMIT_MS);
  await harness.rage(durationMs, () => load.broken() > 0 && load.answered() > ANSWERED_MIN);
  const calmedAt = performance.now();
  const loadResult = await load.calm();
  await Promise.all(receivers.map((receiver) => receiver.calm()));
  const left = await waitForCalm(databaseUrl, performance.now() + CALM_LIMIT_MS);
  const calmMs = Math.round(performance.now() - calmedAt);

  const feed = await readWholeFeed(harness.one());
  const evidence = {
    ...{ databaseUrl, feed, load: loadResult },
    receivers: receivers.map((receiver, nth) => [endpointIds[nth] ?? '', receiver] as const),
  };
  const failures = await query<Failures>(databaseUrl, FAILURES);
  const violations = [...left, ...harness.violations(), ...(await judgeChaos(evidence))];
  await harness.close();
  await Promise.all([...receivers.map((receiver) => receiver.down()), provider.close()]);
  await postgres.close();
  const reports = receivers.map(reportOf);
  return {
    ...{ seed, kills: harness.kills(), restarts: harness.restarts(), violations, calmMs },
    ...{ answered: loadResult.answered, broken: load.broken(), events: feed.length },
    receivers: reports,
    failures,
    duplicateShare: duplicateShareOf(reports.filter(({ name }) => name !== 'dropping')),
  };
}

type Chaos = {
  readonly servers: () => readonly ServerProcess[];
  one(): ServerProcess;
  /** Creates disasters for the given time, and until there was something to lose. */
  rage(durationMs: number, isEnough: () => boolean): Promise<void>;
  kills(): number;
  restarts(): number;
  violations(): readonly string[];
  close(): Promise<void>;
};

type Rooms = {
  readonly random: Random;
  readonly postgres: OwnPostgres;
  readonly databaseUrl: string;
  readonly receivers: readonly ChaosReceiver[];
};

/** Starts three server processes, as on three machines, and the code that kills them. */
async function openChaos({ random, postgres, databaseUrl, receivers }: Rooms): Promise<Chaos> {
  const settings = {
    DATABASE_URL: databaseUrl,
    PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
    PAYGRAPH_LOG_PARTITION: String(PARTITION),
    PAYGRAPH_PROVIDER_DEADLINE_MS: String(PROVIDER_DEADLINE_MS),
  };
  const running = new Set<ServerProcess>();
  const starting = new Set<Promise<void>>();
  const violations: string[] = [];
  let [kills, restarts, last] = [0, 0, null as ServerProcess | null];

  const start = async (): Promise<void> => {
    const server = await startProcess(settings);
    running.add((last = server));
    void server.ended.then(() => {
      if (running.delete(server))
        violations.push(`a server ended by itself: ${server.output().slice(-2_000)}`);
    });
  };
  // A server without a database ends, and its supervisor starts the server again.
  const startUntilItRuns = async (): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const failed = await start().then(
        () => null,
        (error: unknown) => String(error),
      );
      if (failed === null) return;
      if (tries === START_TRIES) return void violations.push(`a server did not start: ${failed}`);
    }
  };
  const begin = (): Promise<void> => {
    const started = startUntilItRuns().finally(() => starting.delete(started));
    starting.add(started);
    return started;
  };
  const kill = async (): Promise<void> => {
    const victim = random.pick([...running]);
    running.delete(victim);
    await victim.kill();
    kills += 1;
    void begin();
  };
  const restartPostgres = async (): Promise<void> => {
    await postgres.stopImmediately();
    await delay(random.int(0, 300));
    await postgres.start();
    restarts += 1;
  };
  const rage: Chaos['rage'] = async (durationMs, isEnough) => {
    const startedAt = performance.now();
    const elapsed = (): number => performance.now() - startedAt;
    const absent = absences(receivers, random, () => elapsed() > durationMs);
    const restartsDue = Math.max(RESTARTS_MIN, Math.floor(durationMs / RESTART_EVERY_MS));
    const pauseMs = durationMs / (restartsDue + 1);
    let calmSince = startedAt;
    const isOver = (): boolean =>
      elapsed() > durationMs + RAGE_MORE_MAX_MS || (elapsed() > durationMs && isEnough());
    while (!isOver() || kills < KILLS_MIN || restarts < RESTARTS_MIN) {
      await delay(random.int(500, 1_000));
      if (running.size === 0) continue;
      if (restarts < restartsDue && performance.now() - calmSince > pauseMs) {
        await restartPostgres();
        calmSince = performance.now();
        // The last server mostly survives. Otherwise no work would be pending, with nothing to lose.
      } else if (running.size > 1 || random.chance(0.2)) await kill();
    }
    await absent;
    await Promise.all(starting);
  };
  await Promise.all([begin(), begin(), begin()]);
  if (violations.length > 0) throw new Error(violations.join('\n'));
  return {
    // Without a running server the clients call a dead one, are refused, and try again.
    servers: () => (running.size > 0 ? [...running] : last ? [last] : []),
    one: () => [...running][0] as ServerProcess,
    rage,
    kills: () => kills,
    restarts: () => restarts,
    violations: () => violations,
    close: async () => {
      const all = [...running];
      running.clear();
      await Promise.all(all.map((server) => server.stop()));
    },
  };
}

/** Makes a receiver unavailable at times: first for six seconds, then for random durations. */
async function absences(
  receivers: readonly ChaosReceiver[],
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  const away = receivers.find(({ name }) => name === 'away');
  for (let awayMs = 6_000; !isOver(); awayMs = random.int(2_000, 6_000)) {
    await delay(random.int(2_000, 4_000));
    await away?.down();
    await delay(awayMs);
    await away?.up();
    await delay(random.int(4_000, 8_000));
  }
}

/** Registers an endpoint for each receiver and sets its secret. Returns the endpoints' ids. */
async function createEndpoints(
  server: ServerProcess,
  receivers: readonly ChaosReceiver[],
): Promise<readonly string[]> {
  type Created = {
    readonly createWebhookEndpoint: {
      readonly webhookEndpoint: { readonly id: string } | null;
      readonly secret: string | null;
    };
  };
  const ids: string[] = [];
  for (const receiver of receivers) {
    const { url, eventNames } = receiver;
    const { body } = await server.graphql<Created>(
      `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) {
        webhookEndpoint { id } secret userErrors { message } } }`,
      { input: { url, eventNames } },
    );
    const created = body.data?.createWebhookEndpoint;
    if (!created?.webhookEndpoint || created.secret === null) throw new Error(JSON.stringify(body));
    receiver.trust(created.secret);
    ids.push(created.webhookEndpoint.id);
  }
  return ids;
}

/**
 * Waits until the dropping receiver has broken off requests of both kinds. A process that is killed with a full window
 * stops an endpoint until the lease ends. On a slow machine no delivery might happen between two disasters.
 */
async function waitForDrops(receivers: readonly ChaosReceiver[], deadline: number): Promise<void> {
  const dropping = receivers.find(({ name }) => name === 'dropping');
  if (!dropping) throw new Error('No receiver drops requests.');
  for (;;) {
    const { dropped, droppedAfterReading } = reportOf(dropping);
    if (droppedAfterReading > 0 && dropped > droppedAfterReading) return;
    if (performance.now() > deadline) throw new Error('The dropping receiver dropped no request in time.');
    await delay(50);
  }
}

/** Waits until no work is pending, twice in a row. Returns a sentence when some work is left at the deadline. */
async function waitForCalm(databaseUrl: string, deadline: number): Promise<readonly string[]> {
  for (let calm = 0; ; await delay(300)) {
    const [row] = await query<Way>(databaseUrl, ON_ITS_WAY);
    calm = row && row.operations + row.waiting + row.deliveries === 0 ? calm + 1 : 0;
    if (calm === 2) return [];
    if (performance.now() > deadline) return [`calm: still on its way ${JSON.stringify(row)}`];
  }
}

type Way = { readonly operations: number; readonly waiting: number; readonly deliveries: number };

const ON_ITS_WAY = `
  SELECT (SELECT count(*) FROM operation WHERE status = 'pending')::int AS operations,
         (${COUNT_WAITING}) AS waiting,
         (SELECT count(*) FROM delivery WHERE state IN ('pending', 'leased'))::int AS deliveries`;

function reportOf({ name, received, dropped }: ChaosReceiver): ReceiverReport {
  const all = [...received.values()];
  return {
    name,
    events: received.size,
    answered: all.reduce((sum, { answered }) => sum + answered, 0),
    dropped: dropped(),
    droppedAfterReading: all.reduce((sum, { droppedAfterReading }) => sum + droppedAfterReading, 0),
  };
}

function duplicateShareOf(reports: readonly ReceiverReport[]): number {
  const answered = reports.reduce((sum, report) => sum + report.answered, 0);
  const first = reports.reduce((sum, report) => sum + report.events, 0);
  return answered === 0 ? 0 : (answered - first) / answered;
}

/** Describes a run in lines. */
export function describeChaos(run: ChaosRun): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [
    `chaos, seed ${run.seed}: ${run.kills} servers killed, Postgres stopped ${run.restarts} times, ` +
      `${run.answered} operations answered, ${run.broken} requests broken, ${run.events} events in the feed, ` +
      `calm after ${(run.calmMs / 1_000).toFixed(1)} s`,
    ...run.receivers.map(
      (one) =>
        `  ${one.name}: ${one.events} events, ${one.answered - one.events} answered again, ` +
        `${one.dropped} requests dropped, ${one.droppedAfterReading} of them after reading`,
    ),
    `  failed attempts: ${run.failures.map(({ what, count }) => `${count} ${what}`).join(', ')}`,
    `  ${percent(run.duplicateShare)} of what receivers answered properly were repeats; ${run.violations.length} violations`,
    ...run.violations.slice(0, SHOWN_MAX).map((violation) => `  ${violation}`),
  ].join('\n');
}

const SHOWN_MAX = 20;
