import { run } from '../support/command.ts';
import { authorization, createService, type Order } from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';
import { startBareCommits } from './bare-commits.ts';
import type { BenchOptions } from './benches.ts';
import { openConnection, type Connection } from './connection.ts';
import { operate, VERBS, type RatedVerb } from './money-rates.ts';
import { randomMoments } from './random-moments.ts';

export const PROVIDER_MS = 120;
export const PER_SECOND = 100;

/** Milliseconds of each operation beyond the provider's time, and of the bare commits in the same seconds. */
export type Latencies = {
  readonly operations: Readonly<Record<RatedVerb, readonly number[]>>;
  readonly commits: readonly number[];
};

/** Returns how many seconds operations arrive. The operations in the seconds before warm up. */
export const seconds = ({ quick }: BenchOptions) =>
  quick ? { warmUp: 1, measured: 2 } : { warmUp: 5, measured: 30 };

export type LatencySettings = {
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  readonly options: BenchOptions;
};

/**
 * Measures latencies at a provider in a separate process. Authorisations, captures and refunds arrive in turn at
 * random moments, independent of earlier answers. Each duration starts at the planned moment. The bare driver commits
 * as many rows beside them.
 */
export async function measureLatency({ server, databaseUrl, options }: LatencySettings): Promise<Latencies> {
  const { warmUp, measured } = seconds(options);
  const provider = run(process.execPath, ['test/bench/slow-provider.ts', String(PROVIDER_MS)], {});
  const url = (await provider.printed('\n')).trim();
  const service = await createService(server, url);
  const lanes = createLanes(server);
  const arrivals = (warmUp + measured) * PER_SECOND;
  options.progress(`payments for ${arrivals} arrivals are prepared`);
  const orders = await prepare(lanes, service, arrivals);
  options.progress(`${PER_SECOND} operations a second arrive for ${warmUp + measured} s`);
  const commits = await startBareCommits(databaseUrl, PER_SECOND);
  const operations: Record<RatedVerb, number[]> = { authorize: [], capture: [], refund: [] };
  const underWay: Promise<void>[] = [];
  const from = performance.now();
  const measuredFrom = from + warmUp * 1_000;
  const moments = randomMoments(PER_SECOND, from);
  for (const [index, order] of orders.entries()) {
    const { value: dueAt } = await moments.next();
    const verb = VERBS[index % VERBS.length] as RatedVerb;
    underWay.push(
      lanes.operate(order).then(() => {
        if (dueAt >= measuredFrom) operations[verb].push(performance.now() - dueAt - PROVIDER_MS);
      }),
    );
  }
  await Promise.all(underWay);
  const tookMs = await commits.stop();
  lanes.close();
  await provider.end('SIGTERM');
  return { operations, commits: tookMs.slice(warmUp * PER_SECOND) };
}

/** Opens as many connections as concurrent requests need. */
function createLanes({ url, token }: ServerProcess) {
  const free: Connection[] = [];
  return {
    operate: async (order: Order): Promise<string> => {
      const connection = free.pop() ?? (await openConnection(url, token));
      const id = await operate(connection, order);
      free.push(connection);
      return id;
    },
    close: () => free.forEach((connection) => connection.close()),
  };
}

/** Builds orders of the three verbs in turn, with payments for the captures and refunds. */
async function prepare(
  lanes: ReturnType<typeof createLanes>,
  service: string,
  arrivals: number,
): Promise<readonly Order[]> {
  const orders: Order[] = [];
  const queue = Array.from({ length: arrivals }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of queue) orders[index] = await prepareOne(lanes, service, VERBS[index % VERBS.length]);
  };
  await Promise.all(Array.from({ length: PREPARE_AT_ONCE }, worker));
  return orders;
}

const PREPARE_AT_ONCE = 48;

async function prepareOne(
  { operate }: ReturnType<typeof createLanes>,
  service: string,
  verb: RatedVerb | undefined,
): Promise<Order> {
  const payment = authorization(1_299, service);
  if (verb === 'authorize') return payment;
  const id = await operate(payment);
  const capture: Order = { verb: 'capture', variables: { id, input: {} } };
  if (verb === 'capture') return capture;
  await operate(capture);
  return { verb: 'refund', variables: { id, input: {} } };
}
