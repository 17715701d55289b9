import { relative } from 'node:path';
import { markRolledBack, migrate } from '../platform/migrate/migrate.ts';
import { withDatabase } from './database.ts';
import { readConfig } from './environment.ts';
import { printProgress } from './progress.ts';

/** Applies what the database lacks and prints it. */
export async function migrateDatabase({ rolledBack }: { readonly rolledBack?: string }): Promise<void> {
  await withDatabase(readConfig(), async (url) => {
    if (rolledBack !== undefined) await markRolledBack(url, rolledBack);
    const applied = await migrate(url, { progress: printProgress });
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  });
}

/** Writes a migration and prints where. Nothing is applied; a scratch database on the configured server is used. */
export async function newMigration(name: string): Promise<void> {
  // The schema engine is installed for development only; "migrate" does without it.
  const { writeMigration } = await import('../platform/migrate/write-migration.ts');
  await withDatabase(readConfig(), async (url) => {
    const path = await writeMigration(url, { name, now: new Date() });
    console.log(`Wrote ${relative('.', path)}. Add by hand what the models cannot say, then start.`);
  });
}
