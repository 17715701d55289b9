import type pg from 'pg';

/**
 * The last migration of the former release. Its processes may go on beside this version, because no later migration takes anything
 * from them. Each release sets this to the last migration of the release before.
 */
export const FORMER_RELEASE = '20261129231500_outlets';

/** The fact with the last migration of the oldest version that may go on. */
const FACT = 'oldest_release';

type Client = Pick<pg.Client, 'query'>;

/** Records which versions may go on: those that have every migration up to this one. An empty database records nothing. */
export async function recordOldestRelease(client: Client, lastMigration: string): Promise<void> {
  if (!(await hasFacts(client))) return;
  await client.query(
    `INSERT INTO installation_fact (name, value, created_at) VALUES ($1, $2, now())
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at`,
    [FACT, lastMigration],
  );
}

/** Tells whether a version may go on after the migrations of a later one. The version knows the migrations up to `lastMigration`. */
export async function mayGoOn(client: Client, lastMigration: string): Promise<boolean> {
  if (!(await hasFacts(client))) return false;
  const { rows } = await client.query<{ value: string }>(
    'SELECT value FROM installation_fact WHERE name = $1',
    [FACT],
  );
  // The name of a migration begins with its time.
  return rows[0] !== undefined && rows[0].value <= lastMigration;
}

async function hasFacts(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('installation_fact') IS NOT NULL AS there`,
  );
  return rows[0]?.there === true;
}
