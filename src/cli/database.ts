import { directUrl, type Config } from '../platform/process/config.ts';
import type { Db } from '../platform/database/db.ts';
import { databaseFits, databaseIsCurrent } from '../platform/database/health.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { howToRun } from '../platform/process/how-to-run.ts';
import { connectOnce } from '../platform/postgres/connect.ts';
import { openEmbedded } from '../platform/postgres/embedded.ts';
import { printProgress } from './progress.ts';

/**
 * Runs work on the configured database, or else on the sandbox's own database. Starts that database unless it is
 * running. A command passes a pooler by, since the command may hold locks of its session.
 */
export async function withDatabase(config: Config, use: (url: string) => Promise<void>): Promise<void> {
  const url = directUrl(config);
  if (url !== undefined) {
    await requireAnswer(url);
    return await use(url);
  }
  const embedded = await openEmbedded(config.PAYGRAPH_DATA_DIR, printProgress);
  try {
    await use(embedded.url);
  } finally {
    await embedded.close();
  }
}

/** Refuses a database that cannot be reached, in a sentence with its address. */
async function requireAnswer(url: string): Promise<void> {
  const client = await connectOnce(url);
  await client.end();
}

/** Refuses a database that lacks a migration of this version. A database of the next version is permitted, as for a server. */
export async function requireMigrations(db: Db): Promise<void> {
  if (!(await databaseFits(db)))
    throw new OperatorError(`The database is older than this Paygraph. Run "${howToRun('migrate')}" first.`);
}

/** Refuses a database of any other version. A command that walks all rows would pass by those that it does not know. */
export async function requireThisVersion(db: Db): Promise<void> {
  await requireMigrations(db);
  if (!(await databaseIsCurrent(db)))
    throw new OperatorError(
      'The database is newer than this Paygraph. Run the command of the newer version.',
    );
}
