import type pg from 'pg';
import type { Migration } from './files.ts';

/** A row of Prisma's table of migrations that nobody marked as rolled back. */
export type Recorded = { readonly name: string; readonly checksum: string; readonly finished: boolean };

/** Reads the history of a database, oldest first. A database without Prisma's table has none. */
export async function readHistory(client: Pick<pg.Client, 'query'>): Promise<readonly Recorded[]> {
  if (!(await hasHistory(client))) return [];
  const { rows } = await client.query<Recorded>(`
    SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
    FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`);
  return rows;
}

/** Tells whether the database has Prisma's table of migrations. */
export async function hasHistory(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there`,
  );
  return rows[0]?.there === true;
}

/** Tells whether the schema holds a table that no extension brought. */
export async function hasTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`
    SELECT EXISTS (
      SELECT FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS there`);
  return rows[0]?.there === true;
}

/** Creates Prisma's table of migrations, column for column as Prisma does. */
export async function createHistory(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TABLE _prisma_migrations (
      id varchar(36) PRIMARY KEY NOT NULL,
      checksum varchar(64) NOT NULL,
      finished_at timestamptz,
      migration_name varchar(255) NOT NULL,
      logs text,
      rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(),
      applied_steps_count integer NOT NULL DEFAULT 0)`);
}

/** Records that a migration started, unless the row is there already. */
export async function recordStart(
  client: pg.Client,
  id: string,
  { name, checksum }: Migration,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
     VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT (id) DO NOTHING`,
    [id, checksum, name],
  );
}

/** Tells whether a start is recorded, and was not rolled back. */
export async function isRecorded(client: pg.Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM _prisma_migrations WHERE id = $1', [id]);
  return rowCount !== 0;
}

/** Records that a migration is applied in full. */
export async function recordEnd(client: pg.Client, id: string): Promise<void> {
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
    [id],
  );
}

/** Records why a migration failed. */
export async function recordFailure(client: pg.Client, id: string, reason: string): Promise<void> {
  await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, reason]);
}

/** Marks a failed migration as rolled back. Returns false, with nothing changed, when the migration did not fail. */
export async function recordRollback(client: pg.Client, name: string): Promise<boolean> {
  if (!(await hasHistory(client))) return false;
  const { rowCount } = await client.query(
    `UPDATE _prisma_migrations SET rolled_back_at = clock_timestamp()
     WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
    [name],
  );
  return rowCount !== 0;
}
