import type { Config } from '../platform/process/config.ts';
import { openEmbedded } from '../platform/postgres/embedded.ts';
import { printProgress } from './progress.ts';

/**
 * Runs work on the configured database, or else on the sandbox's own database. Starts that database unless it is
 * running.
 */
export async function withDatabase(config: Config, use: (url: string) => Promise<void>): Promise<void> {
  if (config.DATABASE_URL) return await use(config.DATABASE_URL);
  const embedded = await openEmbedded(config.PAYGRAPH_DATA_DIR, printProgress);
  try {
    await use(embedded.url);
  } finally {
    await embedded.close();
  }
}
