import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { takeAdvisoryLock, withAdvisoryLock } from '../postgres/advisory-lock.ts';
import { silentProgress, type Progress } from '../process/progress.ts';
import { applyMigration } from './apply.ts';
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
import { VERSION } from '../process/version.ts';
import { mayGoOn, recordRelease, thisRelease, type Release } from './releases.ts';

/** The lock that every command holds while it changes the history of a database. */
const LOCK = 'paygraph.migrate';

/** The lock that Prisma's own tool holds while it migrates. */
const PRISMA_LOCK = 72707369;

export type MigrateOptions = {
  readonly progress?: Progress;
  readonly folder?: string;
  /** The version that has the folder, and the oldest one that may go on beside it. By default those of this code. */
  readonly release?: Pick<Release, 'version' | 'oldest'>;
};

/**
 * Brings the database at `url` to this code and returns the names of the migrations that it applied. One process works at
 * a time. Others wait, and then find nothing left to do. Keeps the history in the table of `prisma migrate deploy`, which
 * may take turns with this function. A crash leaves whole migrations only, and the next start goes on: see
 * `applyMigration`. Refuses a database that holds a failed or a changed migration. The same holds for one of a later version, unless
 * that version lets this one go on.
 *
 * Before the first migration, the database learns which versions may go on beside this one.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { progress = silentProgress, folder = MIGRATIONS_FOLDER, release } = options;
  return await withAdvisoryLock(url, LOCK, async (client) => {
    await takeAdvisoryLock(client, '$1', PRISMA_LOCK);
    const { known, waiting, unknown } = await readState(client, { folder, version: release?.version });
    if (unknown.length > 0) return [];
    const ours = { ...thisRelease(known.at(-1)?.name ?? ''), ...release };
    if (waiting.length > 0)
      await progress('Bringing the database up to date', () => applyAll(client, waiting, ours));
    await recordRelease(client, ours);
    return waiting.map(({ name }) => name);
  });
}

/** Returns the names of the migrations that the database lacks. Refuses like `migrate`, and changes nothing. */
export async function unappliedMigrations(
  client: Pick<pg.Client, 'query'>,
  folder = MIGRATIONS_FOLDER,
): Promise<readonly string[]> {
  return (await readState(client, { folder })).waiting.map(({ name }) => name);
}

/** Tells whether the database has all migrations of this code, and no other. Refuses like `migrate`. */
export async function isOfThisVersion(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { waiting, unknown } = await readState(client, { folder: MIGRATIONS_FOLDER });
  return waiting.length === 0 && unknown.length === 0;
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

/** The migrations of a version beside those of a database. The `unknown` ones are of a later version that lets this one go on. */
type State = {
  readonly known: readonly Migration[];
  readonly waiting: readonly Migration[];
  readonly unknown: readonly string[];
};

async function readState(
  client: Pick<pg.Client, 'query'>,
  { folder, version = VERSION }: { readonly folder: string; readonly version?: string | undefined },
): Promise<State> {
  const known = await readMigrations(folder);
  const recorded = await readHistory(client);
  const isKnown = (row: Recorded): boolean => known.some(({ name }) => name === row.name);
  refuseHistory(known, recorded.filter(isKnown));
  const waiting = known.filter(({ name }) => !recorded.some((row) => row.name === name));
  const unknown = recorded
    .filter((row) => !isKnown(row))
    .map(({ name }) => name)
    .sort();
  const last = unknown.at(-1);
  if (last !== undefined && (waiting.length > 0 || !(await mayGoOn(client, version, last)))) {
    throw new OperatorError(
      `The database is newer than this Paygraph: it has the migration ${unknown[0]}. ` +
        'Start the version that made it, or a later one.',
    );
  }
  return { known, waiting, unknown };
}

/** Refuses a failed and a changed migration of this version. One of a later version may be under way. */
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

async function applyAll(
  client: pg.Client,
  migrations: readonly Migration[],
  release: Release,
): Promise<void> {
  if (!(await hasHistory(client))) {
    if (await hasTables(client)) {
      throw new OperatorError(
        'The database could not be brought up to date: it is not empty, and its tables are not of Paygraph. ' +
          'Name an empty database in DATABASE_URL.',
      );
    }
    await createHistory(client);
  }
  await recordRelease(client, release);
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
