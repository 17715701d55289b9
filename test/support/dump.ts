import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './database.ts';

/**
 * Copies a database under load into a new one, as a dump and its restore do. All rows come from one snapshot, so the
 * copy holds every commit before a moment and none after.
 */
export async function dumpAndRestore(url: string): Promise<TestDatabase> {
  const restored = await createTestDatabase();
  const [from, to] = [
    new pg.Client({ connectionString: url }),
    new pg.Client({ connectionString: restored.url }),
  ];
  await Promise.all([from.connect(), to.connect()]);
  await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await to.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
  const tables = `SELECT relname AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`;
  for (const table of await namesOf(from, tables)) await copy(from, to, table);
  const sequences = 'SELECT sequencename AS name FROM pg_sequences WHERE last_value IS NOT NULL';
  for (const sequence of await namesOf(from, sequences)) {
    const { rows } = await from.query<{ last: string }>(`SELECT last_value AS last FROM "${sequence}"`);
    await to.query('SELECT setval($1, $2)', [`"${sequence}"`, rows[0]?.last]);
  }
  await Promise.all([from.query('COMMIT'), to.query('COMMIT')]);
  await Promise.all([from.end(), to.end()]);
  return restored;
}

async function namesOf(client: pg.Client, statement: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(statement);
  return rows.map(({ name }) => name);
}

/** Replaces the rows of a table. A copy starts with the rows of the migrations. */
async function copy(from: pg.Client, to: pg.Client, table: string): Promise<void> {
  const { rows } = await from.query<{ all: string | null }>(
    `SELECT json_agg(row_to_json(t))::text AS all FROM "${table}" t`,
  );
  await to.query(`DELETE FROM "${table}"`);
  await to.query(
    `INSERT INTO "${table}" OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`,
    [rows[0]?.all ?? '[]'],
  );
}
