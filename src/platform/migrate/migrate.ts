import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { takeAdvisoryLock, withAdvisoryLock } from '../postgres/advisory-lock.ts';
import { silentProgress, type Progress } from '../process/progress.ts';
import { applyMigration } from './apply.ts';
import { FORMER_RELEASE, mayGoOn, recordOldestRelease } from './former-release.ts';
import { type Migration, MIGRATIONS_FOLDER, readMigrations } from './files.ts';
import {
  createHistory,
  hasHistory,
  hasTables,
  readHistory,
  recordRollback,
  type Recorded,
} from './history.ts';
import { howToRun } from '../process/how-to-run.ts';

/** The lock that every command holds while it changes the history of a database. */
const LOCK = 'paygraph.migrate';

/** The lock that Prisma's own tool holds while it migrates. */
const PRISMA_LOCK = 72707369;

export type MigrateOptions = {
  readonly progress?: Progress;
  readonly folder?: string;
  /** The last migration of the release before the one of the folder. */
  readonly formerRelease?: string;
};

/**
 * Brings the database at `url` to this code and returns the names of the migrations that it applied. One process works at
 * a time. Others wait, and then find nothing left to do. Keeps the history in the table of `prisma migrate deploy`, which
 * may take turns with this function. A crash leaves whole migrations only, and the next start goes on: see
 * `applyMigration`. Refuses a database that holds a failed or a changed migration. The same holds for one of a later version, unless
 * that version lets this one go on.
 *
 * Before the first migration, the database learns which versions may go on.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { progress = silentProgress, folder = MIGRATIONS_FOLDER, formerRelease = FORMER_RELEASE } = options;
  return await withAdvisoryLock(url, LOCK, async (client) => {
    await takeAdvisoryLock(client, '$1', PRISMA_LOCK);
    const waiting = await waitingMigrations(client, folder);
    if (waiting.length > 0)
      await progress('Bringing the database up to date', async () => {
        await recordOldestRelease(client, formerRelease);
        await applyAll(client, waiting);
      });
    return waiting.map(({ name }) => name);
  });
}

/** Returns the names of the migrations that the database lacks. Refuses like `migrate`, and changes nothing. */
export async function unappliedMigrations(
  client: Pick<pg.Client, 'query'>,
  folder = MIGRATIONS_FOLDER,
): Promise<readonly string[]> {
  return (await waitingMigrations(client, folder)).map(({ name }) => name);
}

/**
 * Records that a failed migration left nothing behind, so that the next `migrate` applies it again. A script that is one
 * transaction leaves nothing behind. The remains of any other script must be removed by hand first.
 */
export async function markRolledBack(url: string, migrationName: string): Promise<void> {
  await withAdvisoryLock(url, LOCK, async (client) => {
    if (await recordRollback(client, migrationName)) return;
    throw new OperatorError(
      `The migration ${migrationName} cannot be marked as rolled back: it did not fail on this database.`,
    );
  });
}

async function waitingMigrations(
  client: Pick<pg.Client, 'query'>,
  folder: string,
): Promise<readonly Migration[]> {
  const known = await readMigrations(folder);
  const recorded = await readHistory(client);
  refuseHistory(known, recorded);
  await refuseLater(client, known, recorded);
  return known.filter(({ name }) => !recorded.some((row) => row.name === name));
}

function refuseHistory(known: readonly Migration[], recorded: readonly Recorded[]): void {
  const failed = recorded.find((row) => !row.finished);
  if (failed) {
    throw new OperatorError(
      `The migration ${failed.name} failed on this database earlier. Mend the cause, then run ` +
        `"${howToRun('migrate', `--rolled-back ${failed.name}`)}".`,
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

/** Refuses a database with a migration of a later version, unless that version lets this one go on. */
async function refuseLater(
  client: Pick<pg.Client, 'query'>,
  known: readonly Migration[],
  recorded: readonly Recorded[],
): Promise<void> {
  const unknown = recorded.find((row) => !known.some(({ name }) => name === row.name));
  if (!unknown || (await mayGoOn(client, known.at(-1)?.name ?? ''))) return;
  throw new OperatorError(
    `The database is newer than this Paygraph: it has the migration ${unknown.name}. ` +
      'Start the version that made it, or a later one.',
  );
}

async function applyAll(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  if (!(await hasHistory(client))) {
    if (await hasTables(client)) {
      throw new OperatorError(
        'The database could not be brought up to date: it is not empty, and its tables are not of Paygraph. ' +
          'Name an empty database in DATABASE_URL.',
      );
    }
    await createHistory(client);
  }
  for (const migration of migrations) {
    await applyMigration(client, migration).catch(async (error: unknown) => {
      const recorded = await readHistory(client).catch(() => []);
      const failed = recorded.some(({ name }) => name === migration.name);
      const what = failed
        ? `The migration ${migration.name} failed`
        : 'The database could not be brought up to date';
      throw new OperatorError(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}
