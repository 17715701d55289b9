import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { systemIds } from '../../src/platform/ids.ts';
import { query } from '../support/database.ts';
import { authorization, DOCUMENTS, payloadOf, type Order } from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';
import type { BenchOptions } from './benches.ts';
import { openConnection, type Connection } from './connection.ts';
import { replayOf, type Replay } from './money-limit.ts';
import type { Recording } from './money-statements.ts';
import { cpuMs } from './processor-time.ts';
import { COUNT_WAITING } from '../support/waiting-events.ts';

export const VERBS = ['authorize', 'capture', 'refund'] as const;
export type RatedVerb = (typeof VERBS)[number];

/** The measurements of one verb on one side in one round. */
type Measured = {
  readonly perSecond: number;
  /** Processor time of the server's process for one operation. Null when the system does not report this time. */
  readonly serverCpuMs: number | null;
};

export type Rates = Readonly<
  Record<RatedVerb, { readonly graphql: readonly Measured[]; readonly limit: readonly Measured[] }>
>;

/** Concurrent requests, or concurrent statements on the other side. A server has as many connections by default. */
export const PARALLEL = 16;

export type RatesSettings = {
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  readonly recordings: Readonly<Record<RatedVerb, Recording>>;
  readonly options: BenchOptions;
};

/** Returns the number of measured rounds, and of operations of each verb. A first round warms up. */
export const extent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, operations: 100 } : { rounds: 7, operations: 2_000 };

/**
 * Measures GraphQL over HTTP and bare statements in turn on one database, while one server process does its
 * background work.
 */
export async function measureRates({
  server,
  databaseUrl,
  recordings,
  options,
}: RatesSettings): Promise<Rates> {
  const { rounds, operations } = extent(options);
  const graphql = await openGraphql(server);
  const limit = await openLimit(databaseUrl, recordings);
  const rates = { authorize: empty(), capture: empty(), refund: empty() };
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of ['graphql', 'limit'] as const) {
      const run = side === 'graphql' ? graphql.run : limit.run;
      const measured = await measureRound(run, server.pid, operations);
      await drained(databaseUrl);
      // The first round fills caches, compiles and plans.
      if (round > 0) VERBS.forEach((verb) => rates[verb][side].push(measured[verb]));
      const figures = VERBS.map((verb) => `${verb} ${measured[verb].perSecond.toFixed(0)}`).join(', ');
      options.progress(
        `${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}, ${side}: ${figures} a second`,
      );
    }
  }
  await Promise.all([graphql.close(), limit.close()]);
  return rates;
}

const empty = (): { graphql: Measured[]; limit: Measured[] } => ({ graphql: [], limit: [] });

/** Carries out one operation in one of the lanes and returns the transaction's id. */
type Run = (verb: RatedVerb, lane: number, transactionId: string) => Promise<string>;

/** Measures a round: so many payments are authorised, captured and refunded. */
export async function measureRound(
  run: Run,
  pid: number,
  operations: number,
): Promise<Readonly<Record<RatedVerb, Measured>>> {
  let ids = Array.from({ length: operations }, () => systemIds.uuid());
  const measured: Partial<Record<RatedVerb, Measured>> = {};
  for (const verb of VERBS) {
    const [startedAt, cpuBefore] = [performance.now(), await cpuMs(pid)];
    ids = await inLanes(ids, (id, lane) => run(verb, lane, id));
    const [tookMs, cpuAfter] = [performance.now() - startedAt, await cpuMs(pid)];
    measured[verb] = {
      perSecond: (operations / tookMs) * 1_000,
      serverCpuMs: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / operations,
    };
  }
  return measured as Record<RatedVerb, Measured>;
}

/** Each lane takes the next item after finishing its last. */
async function inLanes(
  ids: readonly string[],
  work: (id: string, lane: number) => Promise<string>,
): Promise<string[]> {
  const queue = ids.entries();
  const done: string[] = [];
  const lanes = Array.from({ length: PARALLEL }, async (_, lane) => {
    for (const [index, id] of queue) done[index] = await work(id, lane);
  });
  await Promise.all(lanes);
  return done;
}

type Side = { readonly run: Run; close(): Promise<void> };

/** Opens connections that send operations to a server. */
export async function openGraphql({ url, token }: Pick<ServerProcess, 'url' | 'token'>): Promise<Side> {
  const lanes = await Promise.all(Array.from({ length: PARALLEL }, () => openConnection(url, token)));
  return {
    run: (verb, lane, id) => operate(lanes[lane] as Connection, orderOf(verb, id)),
    close: async () => lanes.forEach((lane) => lane.close()),
  };
}

export const orderOf = (verb: RatedVerb, id: string): Order =>
  verb === 'authorize' ? authorization(1_299, null) : { verb, variables: { id, input: { amount: 1_299 } } };

/** Sends an order under a new key and returns the transaction's id. Throws unless the operation succeeds. */
export async function operate(connection: Connection, { verb, variables }: Order): Promise<string> {
  const text = await connection.ask(
    JSON.stringify({ query: DOCUMENTS[verb], variables: { ...variables, key: randomUUID() } }),
  );
  const payload = payloadOf(text);
  const status = payload?.operation ? payload.operation.status : payload?.transaction?.status;
  if (!payload?.transaction || (status !== 'SUCCEEDED' && status !== 'AUTHORIZATION_SUCCEEDED'))
    throw new Error(`The ${verb} did not succeed: ${text}`);
  return payload.transaction.id;
}

async function openLimit(databaseUrl: string, recordings: RatesSettings['recordings']): Promise<Side> {
  const clients = Array.from({ length: PARALLEL }, () => new pg.Client({ connectionString: databaseUrl }));
  // The end of a connection also fails its running statement.
  clients.forEach((client) => client.on('error', () => undefined));
  await Promise.all(clients.map((client) => client.connect()));
  const replays: Record<RatedVerb, Replay> = {
    authorize: replayOf(recordings.authorize),
    capture: replayOf(recordings.capture),
    refund: replayOf(recordings.refund),
  };
  return {
    run: async (verb, lane, id) => {
      await replays[verb](clients[lane] as pg.Client, id);
      return id;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

/** Waits until the relay has moved every event to the feed, so that no round pays for another. */
export async function drained(databaseUrl: string): Promise<void> {
  for (;;) {
    const [row] = await query<{ waiting: number }>(databaseUrl, COUNT_WAITING);
    if (row?.waiting === 0) return;
    await delay(50);
  }
}
