import type { App } from '../../src/app.ts';
import { findOldestUncounted } from '../../src/modules/reports/projection/projection.sql.ts';
import { projectOnce } from '../../src/modules/reports/index.ts';

/**
 * Adds every fact to the sums of the reports. Waits while another process counts, or while Postgres still ends the
 * transaction of a dead one.
 */
export async function countAll(app: App): Promise<void> {
  while (await findOldestUncounted(app.db)) await projectOnce(app);
}
