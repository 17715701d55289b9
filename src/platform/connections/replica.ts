import type { Clock } from '../clock.ts';
import { isReadOnly, isUnavailable } from '../database/database-faults.ts';
import { openDb, type Db } from '../database/db.ts';
import { prepare } from '../database/statement.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../loop.ts';
import { OperatorError } from '../operator-error.ts';
import { readsWithin } from '../postgres/connection-settings.ts';
import type { Config } from '../process/config.ts';
import { hostsOf } from '../process/database-address.ts';
import { findLostSettings } from './lost-settings.ts';
import { reaches, readLsn, type Position } from './position.ts';

/** The state of a replica at its last answer. */
export type ReplicaState = {
  /** The host and port. */
  readonly name: string;
  /** The place that the replica has replayed. Null for a replica that does not answer. */
  readonly place: Position | null;
  /** The time since the last write that the replica has replayed, in seconds. 0 when it has all that it received. */
  readonly lagSeconds: number;
};

/** A replica that is asked for its place again and again. */
export type Replica = {
  /** The connections for reads. A statement that the replica cannot answer goes to the primary. */
  readonly db: Db;
  has(position: Position): boolean;
  state(): ReplicaState;
  close(): Promise<void>;
};

export type ReplicaSettings = {
  readonly url: string;
  readonly config: Config;
  /** The connections of the primary for all work, and for reads. */
  readonly db: Db;
  readonly readDb: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly open?: typeof openDb;
};

/** The time between two questions for the place, in milliseconds. A newer position waits so long for the replica. */
const ASK_MS = 100;

/** An older answer counts for nothing. A machine that died sends no packet. */
const ANSWER_AGE_MAX_MS = 1_000;

/** A replica may need the time limit of a statement. Afterwards it does not answer any more. */
const SILENCE_MS = 1_000;

/** The lsn is null on a server that is no replica any more. */
type Replayed = { readonly lsn: string | null; readonly timeline: number | null; readonly lag: number };

const replayed = prepare(
  'replica_replayed',
  `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text AS lsn,
    (SELECT received_tli FROM pg_stat_wal_receiver) AS timeline,
    CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
      ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END::float8 AS lag`,
);

/** Opens a replica, and asks it for its place until `close`. The log tells when it does not answer, and why. */
export function followReplica(settings: ReplicaSettings): Replica {
  const { url, config, readDb, clock, log, open = openDb } = settings;
  const own = openReplica(url, config, open);
  let state: ReplicaState = { name: hostsOf(url), place: null, lagSeconds: 0 };
  let answeredAt = -Infinity;
  let isChecked = false;
  const ask = async (): Promise<boolean> => {
    try {
      if (!isChecked) await requireSettings(own, config);
      isChecked = true;
      state = { ...state, ...(await askForPlace(own)) };
      answeredAt = performance.now();
      return false;
    } catch (error) {
      state = { ...state, place: null };
      throw error;
    }
  };
  const loop = startLoop({ name: `replica ${state.name}`, idleMs: ASK_MS, clock, log, run: ask });
  const leaveOut = (): void => void (answeredAt = -Infinity);
  return {
    db: orPrimary(own, readDb, leaveOut),
    has: (position) =>
      state.place !== null &&
      performance.now() - answeredAt < ANSWER_AGE_MAX_MS &&
      reaches(state.place, position),
    state: () => (performance.now() - answeredAt < ANSWER_AGE_MAX_MS ? state : { ...state, place: null }),
    close: async () => {
      await loop.stop();
      await own.close();
    },
  };
}

/**
 * Asks a replica once, with the connections of the service. Throws an OperatorError if the server follows no primary, or lacks a
 * right or a setting.
 */
export async function examineReplica(url: string, config: Config): Promise<ReplicaState> {
  const db = openReplica(url, config, openDb);
  try {
    await requireSettings(db, config);
    return { name: hostsOf(url), ...(await askForPlace(db)) };
  } finally {
    await db.close();
  }
}

const openReplica = (url: string, config: Config, open: typeof openDb): Db =>
  open({
    url,
    connectionMax: config.DATABASE_READ_POOL,
    applicationName: 'paygraph replica',
    readTimeoutMs: config.PAYGRAPH_READ_TIMEOUT_MS,
    answerWithinMs: config.PAYGRAPH_READ_TIMEOUT_MS + SILENCE_MS,
    pooled: config.DATABASE_DIRECT_URL !== undefined,
  });

async function askForPlace(db: Db): Promise<Pick<ReplicaState, 'place' | 'lagSeconds'>> {
  const [row] = await db.query<Replayed>(replayed({}));
  return placeOf(row);
}

function placeOf(row: Replayed | undefined): Pick<ReplicaState, 'place' | 'lagSeconds'> {
  if (!row || row.lsn === null) throw new OperatorError('The server is no replica.');
  if (row.timeline === null)
    throw new OperatorError(
      'The replica follows no primary, or its role may not see it: GRANT pg_read_all_stats to the role.',
    );
  return {
    place: { timeline: row.timeline, bytes: readLsn(row.lsn) ?? 0n },
    lagSeconds: row.lag,
  };
}

async function requireSettings(db: Db, config: Config): Promise<void> {
  const lost = await findLostSettings(db, readsWithin(config.PAYGRAPH_READ_TIMEOUT_MS));
  if (lost.length > 0)
    throw new OperatorError(`The role of DATABASE_REPLICA_URL lacks settings: ${lost.join(' ')}`);
}

/** Returns the connections of a replica. Prisma, and each statement that the replica cannot answer, use the primary. */
function orPrimary(replica: Db, primary: Db, lost: () => void): Db {
  const query = async <Row>(statement: Parameters<Db['query']>[0]): Promise<readonly Row[]> => {
    try {
      return await replica.query<Row>(statement);
    } catch (error) {
      if (!isUnavailable(error) && !isConflict(error)) throw error;
      if (isUnavailable(error) && !isReadOnly(error)) lost();
      return await primary.query<Row>(statement);
    }
  };
  return Object.create(primary, {
    query: { value: query, enumerable: true },
    waits: { value: () => replica.waits(), enumerable: true },
    waitedMs: { value: (owner: string) => replica.waitedMs(owner), enumerable: true },
  }) as Db;
}

/** True if the replica ended a statement because the replay of the log needed its rows. */
const isConflict = (error: unknown): boolean => (error as { readonly code?: unknown }).code === '40001';
