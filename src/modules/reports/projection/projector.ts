import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { findOldestUncounted, projectBatch } from './projection.sql.ts';

/** A report is at most 2 seconds behind. */
const IDLE_MS = 500;

/** The marked facts of one commit, and the entries of the ledger. They take some ten milliseconds. */
const BATCH_MAX = 1_000;

/**
 * Starts the loop that adds committed payments, ledger entries and refused authorisations to the sums of the reports. Every
 * process may run one. Only one works at a time.
 */
export const startReportProjector = (app: App): Loop =>
  startLoop({
    ...{ name: 'reports', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    run: () => projectOnce(app),
  });

/** Counts one batch of facts, under the rules of `projectBatch`. Returns true when more may wait. */
export async function projectOnce(app: App): Promise<boolean> {
  if (!(await findOldestUncounted(app.db))) return false;
  return ((await projectBatch(app.db, BATCH_MAX)) ?? 0) >= BATCH_MAX;
}
