import { relative } from 'node:path';
import { preparePartitions } from '../modules/events/index.ts';
import { openDb } from '../platform/db.ts';
import { markRolledBack, migrate } from '../platform/migrate/migrate.ts';
import { withDatabase } from './database.ts';
import { readConfig } from './environment.ts';
import { printProgress } from './progress.ts';

/** Applies the missing migrations and prints their names. Then creates the next partitions. */
export async function migrateDatabase({ rolledBack }: { readonly rolledBack?: string }): Promise<void> {
  const config = readConfig();
  await withDatabase(config, async (url) => {
    if (rolledBack !== undefined) await markRolledBack(url, rolledBack);
    const applied = await migrate(url, { progress: printProgress });
    await createNextPartitions(url, config.PAYGRAPH_LOG_PARTITION);
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
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

/** Writes a migration and prints its path. Applies nothing. Uses a scratch database on the configured server. */
export async function newMigration(name: string): Promise<void> {
  // The schema engine is installed for development only. The command `migrate` does not need it.
  const { writeMigration } = await import('../platform/migrate/write-migration.ts');
  await withDatabase(readConfig(), async (url) => {
    const path = await writeMigration(url, { name, now: new Date() });
    console.log(
      `Wrote ${relative('.', path)}. Add by hand the changes that the models cannot express, then start.`,
    );
  });
}
