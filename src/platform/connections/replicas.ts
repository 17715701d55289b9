import type { Clock } from '../clock.ts';
import { isReadOnly, isUnavailable } from '../database/database-faults.ts';
import { openDb, type Db } from '../database/db.ts';
import { prepare } from '../database/statement.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../loop.ts';
import type { Config } from '../process/config.ts';
import { addressOf, nameOf } from '../process/database-address.ts';
import { readPosition, type Position } from './position.ts';

/** The servers that follow the primary and answer queries. */
export type Replicas = {
  /**
   * Returns connections to a replica that has every write before the position. Null when none has, or none answers: then the
   * primary must answer.
   */
  at(position: Position): Db | null;
  /** Returns the position after all writes that were committed before the call. */
  position(): Promise<string>;
  states(): readonly ReplicaState[];
  close(): Promise<void>;
};

/** The state of a replica at its last answer. */
export type ReplicaState = {
  /** The database and host, without user and password. */
  readonly name: string;
  /** The position that the replica has replayed. Null for a replica that does not answer. */
  readonly replayed: Position | null;
  /** The time since the last write that the replica has replayed, in seconds. 0 when it has all that it received. */
  readonly lagSeconds: number;
};

type Replica = { readonly db: Db; state: ReplicaState };

export type ReplicaSettings = {
  readonly config: Config;
  /** The connections of the primary for all work, and for reads. */
  readonly db: Db;
  readonly readDb: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly open?: typeof openDb;
};

/** The time between two questions for the positions, in milliseconds. A newer position waits so long for the replica. */
const ASK_MS = 100;

type Current = { readonly position: string };

const current = prepare('replica_current', 'SELECT pg_current_wal_insert_lsn()::text AS position');

/** The position is null on a server that is no replica. */
type Replayed = { readonly position: string | null; readonly lag: number };

const replayed = prepare(
  'replica_replayed',
  `SELECT pg_last_wal_replay_lsn()::text AS position,
    CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
      ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END::float8 AS lag`,
);

/** Opens the replicas of a configuration, and asks them for their positions until `close`. Null without replicas. */
export function openReplicas(settings: ReplicaSettings): Replicas | null {
  const { config, db, readDb, clock, log } = settings;
  if (config.DATABASE_REPLICA_URL === undefined) return null;
  const replicas = addressOf(config.DATABASE_REPLICA_URL).urls.map((url) => openReplica(url, settings));
  const lost = (replica: Replica): void => leaveOut(replica, log);
  const loop = startLoop({
    name: 'replicas',
    idleMs: ASK_MS,
    clock,
    log,
    run: async () => {
      await Promise.all(replicas.map((replica) => ask(replica, lost).catch(() => lost(replica))));
      return false;
    },
  });
  const served = replicas.map((replica) => ({
    replica,
    db: orPrimary(replica.db, readDb, () => lost(replica)),
  }));
  let turn = 0;
  return {
    at: (position) => {
      const fresh = served.filter(({ replica }) => (replica.state.replayed ?? -1n) >= position);
      turn += 1;
      return fresh[turn % Math.max(1, fresh.length)]?.db ?? null;
    },
    position: async () => {
      const [row] = await db.query<Current>(current({}));
      return row?.position ?? '';
    },
    states: () => replicas.map(({ state }) => state),
    close: async () => {
      await loop.stop();
      await Promise.all(replicas.map((replica) => replica.db.close()));
    },
  };
}

const openReplica = (url: string, { config, open = openDb }: ReplicaSettings): Replica => ({
  db: open({
    url,
    connectionMax: config.DATABASE_READ_POOL,
    applicationName: 'paygraph replica',
    readTimeoutMs: config.PAYGRAPH_READ_TIMEOUT_MS,
    pooled: config.DATABASE_DIRECT_URL !== undefined,
  }),
  state: { name: nameOf(url), replayed: null, lagSeconds: 0 },
});

function leaveOut(replica: Replica, log: Log): void {
  if (replica.state.replayed !== null)
    log.warn({ replica: replica.state.name }, 'A replica does not answer. The primary answers its queries.');
  replica.state = { ...replica.state, replayed: null };
}

async function ask(replica: Replica, lost: (replica: Replica) => void): Promise<void> {
  const [row] = await replica.db.query<Replayed>(replayed({}));
  // A promoted replica has no position, and is no replica any more.
  const position = row?.position == null ? null : readPosition(row.position);
  if (position === null) return lost(replica);
  replica.state = { ...replica.state, replayed: position, lagSeconds: row?.lag ?? 0 };
}

/** Returns the connections of a replica. A statement that the replica cannot answer goes to the primary. */
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
  return Object.create(replica, { query: { value: query, enumerable: true } }) as Db;
}

/** True if the replica ended a statement because the replay of the log needed its rows. */
const isConflict = (error: unknown): boolean => (error as { readonly code?: unknown }).code === '40001';
