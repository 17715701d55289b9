import type pg from 'pg';
import { VERSION } from '../process/version.ts';

/**
 * The release before this one. Its processes may go on beside this version, because no later migration takes a table or a column from
 * them. The first release names itself. A test compares this with the changelog.
 */
export const FORMER_RELEASE = '0.1.0';

/** A version of Paygraph as a database knows it. */
export type Release = {
  readonly version: string;
  /** The oldest version that may go on beside it. */
  readonly oldest: string;
  /** Its last migration. The name begins with a time. */
  readonly lastMigration: string;
};

/** Returns this version, with the last of its migrations. */
export const thisRelease = (lastMigration: string): Release => ({
  ...{ version: VERSION, oldest: FORMER_RELEASE, lastMigration },
});

const FACT = 'newest_release';

type Client = Pick<pg.Client, 'query'>;

/** Records the newest version that has used the database. An older version changes nothing. An empty database records nothing. */
export async function recordRelease(client: Client, release: Release): Promise<void> {
  const known = await readRelease(client);
  if (known === undefined || (known !== null && isOlder(release.version, known.version))) return;
  await client.query(
    `INSERT INTO installation_fact (name, value, created_at) VALUES ($1, $2, now())
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at
     WHERE installation_fact.value <> excluded.value`,
    [FACT, JSON.stringify(release)],
  );
}

/**
 * Tells whether a version may go on after migrations that it does not know. The newest version must allow it, and must know the last of
 * these migrations.
 */
export async function mayGoOn(client: Client, version: string, lastUnknown: string): Promise<boolean> {
  const newest = await readRelease(client);
  if (!newest) return false;
  return !isOlder(version, newest.oldest) && lastUnknown <= newest.lastMigration;
}

/** Returns null if no version is recorded, and undefined if the database has no place for it. */
async function readRelease(client: Client): Promise<Release | null | undefined> {
  const { rows: there } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('installation_fact') IS NOT NULL AS there`,
  );
  if (there[0]?.there !== true) return undefined;
  const { rows } = await client.query<{ value: string }>(
    'SELECT value FROM installation_fact WHERE name = $1',
    [FACT],
  );
  return rows[0] ? (JSON.parse(rows[0].value) as Release) : null;
}

const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) < 0;
