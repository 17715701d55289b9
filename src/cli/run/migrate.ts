import { relative } from 'node:path';
import { preparePartitions } from '../../modules/events/index.ts';
import { openDb } from '../../platform/database/db.ts';
import { hasModels } from '../../platform/migrate/files.ts';
import { markRolledBack, migrate } from '../../platform/migrate/migrate.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { withDatabase } from '../database.ts';
import { readConfig } from '../environment.ts';
import { printJson } from '../json.ts';
import { printProgress } from '../progress.ts';

/** The options as written on the command line. */
export type MigrateOptions = {
  /** The name of a failed migration. */
  readonly rolledBack?: string | undefined;
  readonly json?: boolean | undefined;
};

/** Applies the missing migrations and prints their names. Then creates the next partitions. */
export async function migrateDatabase({ rolledBack, json }: MigrateOptions): Promise<void> {
  const config = readConfig();
  await withDatabase(config, async (url) => {
    if (rolledBack !== undefined) await markRolledBack(url, rolledBack);
    const applied = await migrate(url, { progress: printProgress });
    await createNextPartitions(url, config.PAYGRAPH_LOG_PARTITION);
    if (json) printJson({ applied });
    else console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  });
}

async function createNextPartitions(url: string, size: number): Promise<void> {
  const db = openDb({ url, connectionMax: 1, applicationName: 'paygraph migrate' });
  try {
    await preparePartitions(db, size);
  } finally {
    await db.close();
  }
}

/**
 * Writes a migration and prints its path. Applies nothing. Uses a scratch database on the configured server. Refuses in an
 * installed package, which holds no models.
 */
export async function newMigration(name: string): Promise<void> {
  if (!hasModels())
    throw new OperatorError(
      'migrate:new needs the Prisma models of the repository, which this installation lacks. Run migrate:new in a clone.',
    );
  // The schema engine is installed for development only. The command `migrate` does not need it.
  const { writeMigration } = await import('../../platform/migrate/write-migration.ts');
  await withDatabase(readConfig(), async (url) => {
    const path = await writeMigration(url, { name, now: new Date() });
    console.log(
      `Wrote ${relative('.', path)}. Add by hand the changes that the models cannot express, then start.`,
    );
  });
}
