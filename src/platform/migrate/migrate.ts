import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { withAdvisoryLock } from '../postgres/advisory-lock.ts';
import { silentProgress, type Progress } from '../progress.ts';
import { withEngine } from './engine.ts';
import { type Migration, migrationList, MIGRATIONS_FOLDER, readMigrations } from './files.ts';

/** Held over the whole of `migrate`. The engine takes one of its own inside, as Prisma's tool does, but waits 10 s only. */
const LOCK = 'paygraph.migrate';

export type MigrateOptions = { readonly progress?: Progress; readonly folder?: string };

/**
 * Brings the database at `url` to this code and answers the names of the migrations that it applied. One process at a
 * time; others wait, and then find nothing left to do. Each migration is a transaction of its own, so a crash leaves
 * whole ones only, and the next start goes on. Refuses a database that holds a failed, a changed or an unknown migration.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { progress = silentProgress, folder = MIGRATIONS_FOLDER } = options;
  return await withAdvisoryLock(url, LOCK, async (client) => {
    const waiting = await unappliedMigrations(client, folder);
    // The engine is large; a start that finds nothing to do never loads it.
    if (waiting.length > 0)
      await progress('Bringing the database up to date', () => apply(client, url, folder));
    return waiting;
  });
}

/** Names of the migrations that the database still lacks. Refuses like `migrate`; changes nothing. */
export async function unappliedMigrations(
  client: Pick<pg.Client, 'query'>,
  folder = MIGRATIONS_FOLDER,
): Promise<readonly string[]> {
  const known = await readMigrations(folder);
  const applied = await recordedMigrations(client);
  refuseHistory(known, applied);
  return known.map(({ name }) => name).filter((name) => !applied.some((row) => row.name === name));
}

/**
 * Records that a failed migration left nothing behind, so that it is applied again. That is so for every script that
 * is one transaction; after one that is not, its remains must be removed by hand first.
 */
export async function markRolledBack(url: string, migrationName: string): Promise<void> {
  await withAdvisoryLock(url, LOCK, async () => {
    await withEngine(url, (engine) => engine.markMigrationRolledBack({ migrationName })).catch(
      (error: unknown) => {
        throw new OperatorError(
          `The migration ${migrationName} cannot be marked as rolled back: ${sentenceOf(error)}`,
        );
      },
    );
  });
}

type Recorded = { readonly name: string; readonly checksum: string; readonly finished: boolean };

async function recordedMigrations(client: Pick<pg.Client, 'query'>): Promise<readonly Recorded[]> {
  const table = await client.query<{ there: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there`,
  );
  if (table.rows[0]?.there !== true) return [];
  const { rows } = await client.query<Recorded>(`
    SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
    FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`);
  return rows;
}

function refuseHistory(known: readonly Migration[], recorded: readonly Recorded[]): void {
  const failed = recorded.find((row) => !row.finished);
  if (failed) {
    throw new OperatorError(
      `The migration ${failed.name} failed on this database earlier. Mend the cause, then run ` +
        `"npm run migrate -- --rolled-back ${failed.name}".`,
    );
  }
  const unknown = recorded.find((row) => !known.some(({ name }) => name === row.name));
  if (unknown) {
    throw new OperatorError(
      `The database is newer than this Paygraph: it has the migration ${unknown.name}. ` +
        'Start the version that made it, or a later one.',
    );
  }
  const changed = known.find(({ name, checksum }) =>
    recorded.some((row) => row.name === name && row.checksum !== checksum),
  );
  if (changed) {
    throw new OperatorError(
      `The migration ${changed.name} was changed after it was applied to this database. ` +
        'Restore its file, and make the change in a migration of its own.',
    );
  }
}

async function apply(client: pg.Client, url: string, folder: string): Promise<void> {
  const migrationsList = await migrationList(folder);
  const filters = { externalTables: [], externalEnums: [] };
  try {
    await withEngine(url, (engine) => engine.applyMigrations({ migrationsList, filters }));
  } catch (error) {
    const failed = (await recordedMigrations(client)).find((row) => !row.finished);
    const what = failed
      ? `The migration ${failed.name} failed`
      : 'The database could not be brought up to date';
    throw new OperatorError(`${what}: ${sentenceOf(error)}`);
  }
}

/** The engine explains over several lines, wraps what Postgres said, and adds its own stack. */
function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split(/\n\s+0: /)[0] ?? text)
    .replace(/\s+/g, ' ')
    .replace(/^.*? ERROR: /, '')
    .trim();
}
