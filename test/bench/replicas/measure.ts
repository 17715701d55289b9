import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { query } from '../../support/database.ts';
import { cpuMsOfConnections, postgresMs } from '../processor-time.ts';
import { percentile } from '../statistics.ts';
import { payAndRead, type Load, type Position } from './load.ts';

/** The addresses of the servers. */
export type Places = { readonly primary: string; readonly replicas: readonly string[] };

export type Measuring = {
  readonly load: Load;
  readonly at: Places;
  readonly bodies: readonly string[];
  readonly position: Position;
  readonly warmUpMs: number;
  readonly measuredMs: number;
};

export type Measured = {
  readonly perSecond: number;
  readonly durations: readonly number[];
  /** The share of the lists that replicas read, from 0 to 1. */
  readonly byReplicas: number;
  /** The processor time of the primary and of the replicas for one read, in milliseconds. */
  readonly ofRead: { readonly primary: number; readonly replicas: number };
  /** All other processor time of one replica for one payment, in milliseconds. Most of it replays the log. */
  readonly ofPayment: number;
  /** The milliseconds until a replica had replayed a commit. Empty without replicas. */
  readonly lags: readonly number[];
};

/** The heads of the figures, and their forms. */
export const COLUMNS: readonly (readonly [string, (measured: Measured) => string])[] = [
  ['reads a second', ({ perSecond }) => perSecond.toFixed(0)],
  ['p50 in ms', ({ durations }) => percentile(durations, 0.5).toFixed(1)],
  ['p99 in ms', ({ durations }) => percentile(durations, 0.99).toFixed(1)],
  ['by replicas', ({ byReplicas }) => `${(byReplicas * 100).toFixed(0)} %`],
  ['primary, a read', ({ ofRead }) => `${ofRead.primary.toFixed(2)} ms`],
  ['replicas, a read', ({ ofRead }) => `${ofRead.replicas.toFixed(2)} ms`],
  ['a replica, a payment', ({ ofPayment, lags }) => (lags.length === 0 ? '' : `${ofPayment.toFixed(2)} ms`)],
  ['lag p50 and p99', ({ lags }) => (lags.length === 0 ? '' : lagsOf(lags))],
];

const lagsOf = (lags: readonly number[]): string =>
  [0.5, 0.99].map((share) => `${percentile(lags, share).toFixed(1)} ms`).join(', ');

/** Measures reads beside payments. */
export async function measureReads(measuring: Measuring): Promise<Measured> {
  const { load, at, bodies, position, warmUpMs, measuredMs } = measuring;
  await payAndRead(load, { ms: warmUpMs, bodies, position });
  const [lists, spent, from] = [await listsOf(at), await spentBy(at), performance.now()];
  const watch = watchLags(at);
  const { durations, payments } = await payAndRead(load, { ms: measuredMs, bodies, position });
  const seconds = (performance.now() - from) / 1_000;
  const lags = await watch.end();
  // The counts of lists come late, and the wait for them is not measured.
  const [spentAfter, listsAfter] = [await spentBy(at), await listsOf(at)];
  const ms = (part: keyof Spent): number => spentAfter[part] - spent[part];
  return {
    perSecond: durations.length / seconds,
    durations,
    byReplicas: (listsAfter - lists) / durations.length,
    ofRead: {
      primary: ms('readsOfPrimary') / durations.length,
      replicas: ms('readsOfReplicas') / durations.length,
    },
    ofPayment: (ms('replicas') - ms('readsOfReplicas')) / payments / at.replicas.length,
    lags,
  };
}

/** The processor time so far in milliseconds: of connections that read, and of all processes of the replicas. */
type Spent = {
  readonly readsOfPrimary: number;
  readonly readsOfReplicas: number;
  readonly replicas: number;
};

async function spentBy({ primary, replicas }: Places): Promise<Spent> {
  const reads = await Promise.all(replicas.map((url) => cpuMsOfConnections(url, 'paygraph replica')));
  return {
    readsOfPrimary: await cpuMsOfConnections(primary, 'paygraph reads'),
    readsOfReplicas: sum(reads),
    replicas: sum(await Promise.all(replicas.map(postgresMs))),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Counts the lists that replicas have read. An idle connection tells its counts after ten seconds. */
async function listsOf({ replicas }: Places): Promise<number> {
  if (replicas.length === 0) return 0;
  await delay(COUNTS_TOLD_MS);
  return sum(await Promise.all(replicas.map(countLists)));
}

const COUNTS_TOLD_MS = 11_000;

/** Each list walks one index of transactions once. Nothing else at a replica reads transactions. */
const SCANS = `SELECT coalesce(sum(idx_scan), 0)::int AS scans FROM pg_stat_user_indexes WHERE relname = 'transaction'`;

async function countLists(url: string): Promise<number> {
  const [row] = await query<{ scans: number }>(url, SCANS);
  return row?.scans ?? 0;
}

const LAGS = `SELECT extract(epoch FROM replay_lag)::float8 * 1000 AS ms FROM pg_stat_replication WHERE replay_lag IS NOT NULL`;
const LAGS_EVERY_MS = 100;

/** Reads the lags ten times a second until `end`. */
function watchLags({ primary, replicas }: Places): { end(): Promise<readonly number[]> } {
  const [lags, ended] = [[] as number[], new AbortController()];
  const watching = (async () => {
    if (replicas.length === 0) return;
    const client = new pg.Client({ connectionString: primary });
    await client.connect();
    while (!ended.signal.aborted) {
      const { rows } = await client.query<{ ms: number }>(LAGS);
      lags.push(...rows.map(({ ms }) => ms));
      await delay(LAGS_EVERY_MS);
    }
    await client.end();
  })();
  return {
    end: async () => {
      ended.abort();
      await watching;
      return lags;
    },
  };
}
