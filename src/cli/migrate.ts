import { relative } from 'node:path';
import { markRolledBack, migrate } from '../platform/migrate/migrate.ts';
import { withDatabase } from './database.ts';
import { readConfig } from './environment.ts';
import { printProgress } from './progress.ts';

/** Applies the missing migrations and prints their names. */
export async function migrateDatabase({ rolledBack }: { readonly rolledBack?: string }): Promise<void> {
  await withDatabase(readConfig(), async (url) => {
    if (rolledBack !== undefined) await markRolledBack(url, rolledBack);
    const applied = await migrate(url, { progress: printProgress });
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  });
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
