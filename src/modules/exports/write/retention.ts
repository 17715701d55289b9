import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { expireExports, removeChunks } from './retention.sql.ts';

const IDLE_MS = 60_000;

/** The most chunks that one statement removes: some megabytes. */
const BATCH_MAX = 20;

/**
 * Starts the loop that removes the files of expired and failed exports. The export itself stays. Every process may run
 * one.
 */
export const startExportRetention = (app: App): Loop =>
  startLoop({
    ...{ name: 'export retention', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => retainExportsOnce(app),
  });

/** Expires files that are old enough, and removes one batch of chunks. Returns true when more remain. */
export async function retainExportsOnce(app: App): Promise<boolean> {
  await expireExports(app.db, app.clock.now());
  return removeChunks(app.db, BATCH_MAX);
}
