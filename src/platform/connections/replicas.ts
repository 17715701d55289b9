import { openDb, type Db } from '../database/db.ts';
import { prepare } from '../database/statement.ts';
import { addressOf } from '../process/database-address.ts';
import type { Position } from './position.ts';
import { followReplica, type ReplicaSettings, type ReplicaState } from './replica.ts';

/** The servers that follow the primary and answer queries. */
export type Replicas = {
  /**
   * Returns connections to a replica that has every write before the position. Null when none has, or none answers: then the
   * primary must answer.
   */
  at(position: Position): Db | null;
  /**
   * Returns the position after all writes that were committed before the call. Null when the primary does not tell it within a
   * quarter of a second: the change is answered without it.
   */
  position(): Promise<string | null>;
  states(): readonly ReplicaState[];
  close(): Promise<void>;
};

/** The longest wait of a change for its position, in milliseconds. */
const POSITION_WAIT_MS = 250;

type Current = { readonly segment: string; readonly lsn: string };

const current = prepare(
  'replica_current',
  `SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS segment, pg_current_wal_insert_lsn()::text AS lsn`,
);

/** Opens the replicas of a configuration, and asks them for their positions until `close`. Null without replicas. */
export function openReplicas(settings: Omit<ReplicaSettings, 'url'>): Replicas | null {
  const { config, db, open = openDb } = settings;
  if (config.DATABASE_REPLICA_URL === undefined) return null;
  const replicas = addressOf(config.DATABASE_REPLICA_URL).urls.map((url) =>
    followReplica({ ...settings, url, open }),
  );
  let turn = 0;
  return {
    at: (position) => {
      const fresh = replicas.filter((replica) => replica.has(position));
      turn += 1;
      return fresh[turn % Math.max(1, fresh.length)]?.db ?? null;
    },
    position: () => Promise.race([readPositionOf(db), late()]),
    states: () => replicas.map((replica) => replica.state()),
    close: async () => void (await Promise.all(replicas.map((replica) => replica.close()))),
  };
}

async function readPositionOf(db: Db): Promise<string | null> {
  const [row] = await db.query<Current>(current({})).catch(() => []);
  // The name of a segment begins with the timeline, in eight hexadecimal digits.
  return row ? `${Number.parseInt(row.segment.slice(0, 8), 16)}-${row.lsn}` : null;
}

const late = (): Promise<null> =>
  new Promise((resolve) => void setTimeout(resolve, POSITION_WAIT_MS, null).unref());
