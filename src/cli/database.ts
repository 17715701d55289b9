import { directUrl, type Config } from '../platform/process/config.ts';
import { openEmbedded } from '../platform/postgres/embedded.ts';
import { printProgress } from './progress.ts';

/**
 * Runs work on the configured database, or else on the sandbox's own database. Starts that database unless it is
 * running. A command passes a pooler by, since the command may hold locks of its session.
 */
export async function withDatabase(config: Config, use: (url: string) => Promise<void>): Promise<void> {
  const url = directUrl(config);
  if (url !== undefined) return await use(url);
  const embedded = await openEmbedded(config.PAYGRAPH_DATA_DIR, printProgress);
  try {
    await use(embedded.url);
  } finally {
    await embedded.close();
  }
}
