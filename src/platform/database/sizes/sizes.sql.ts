import { isLockTimeout, type Db } from '../db.ts';
import { prepareFile } from '../statement.ts';

/** A table (`r`) or an index (`i`) of the database. */
export type RelationSize = {
  readonly name: string;
  readonly kind: string;
  /** Null if a transaction locked the table or index, so that its size could not be read. */
  readonly bytes: number | null;
  /** The estimate of Postgres. */
  readonly rows: number;
  readonly dead: number;
  readonly vacuumed: Date | null;
  readonly analyzed: Date | null;
};

/** More than the tables and indexes of an installation, with some years of partitions. */
const RELATIONS_MAX = 2_000;

const sizes = prepareFile(import.meta, 'relation-sizes.sql');

/** The longest wait for a lock, in milliseconds. */
const LOCK_MS = 500;

/** A lock that comes between the list of locks and the sizes ends the statement. The next try knows the lock. */
const TRIES = 3;

/**
 * Reads the sizes of the tables and indexes. Those that could not be read come first, then the largest. Limits the waits of the
 * connection for locks, also afterwards.
 */
export async function readRelationSizes(client: Pick<Db, 'query'>): Promise<readonly RelationSize[]> {
  await client.query({ name: null, text: `SET lock_timeout = ${LOCK_MS}`, values: [] });
  for (let tried = 1; ; tried += 1) {
    try {
      return await client.query<RelationSize>(sizes({ limit: RELATIONS_MAX }));
    } catch (error) {
      if (tried === TRIES || !isLockTimeout(error)) throw error;
    }
  }
}

/** The settings of Postgres that its speed and its safety depend on. None of them holds a name or a secret. */
const OF_POSTGRES = [
  ...['server_version', 'max_connections', 'shared_buffers', 'work_mem', 'maintenance_work_mem'],
  ...['effective_cache_size', 'max_wal_size', 'checkpoint_timeout', 'wal_level', 'fsync', 'full_page_writes'],
  ...['synchronous_commit', 'autovacuum', 'autovacuum_naptime', 'random_page_cost', 'jit', 'TimeZone'],
  ...['default_transaction_isolation', 'default_transaction_read_only', 'in_hot_standby'],
];

type ServerSetting = { readonly name: string; readonly setting: string; readonly unit: string | null };

const settings = prepareFile(import.meta, 'server-settings.sql');

/** Reads the settings of Postgres that its speed and its safety depend on. */
export const readServerSettings = (db: Pick<Db, 'query'>): Promise<readonly ServerSetting[]> =>
  db.query<ServerSetting>(settings({ names: OF_POSTGRES }));

type AppliedMigration = { readonly name: string; readonly applied: Date | null };

const migrations = prepareFile(import.meta, 'applied-migrations.sql');

/** Reads the history of migrations, oldest first. */
export const readAppliedMigrations = (db: Pick<Db, 'query'>): Promise<readonly AppliedMigration[]> =>
  db.query<AppliedMigration>(migrations({}));
