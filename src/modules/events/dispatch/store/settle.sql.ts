import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { EndpointReport } from '../endpoint-health.ts';
import type { SettledAttempt } from '../settled-attempt.ts';

/** The attempts that one statement stores, and their reports about endpoints. */
export type AttemptBatch = {
  /** At most one attempt of each delivery. */
  readonly attempts: readonly SettledAttempt[];
  readonly reports: readonly EndpointReport[];
  readonly now: Date;
  readonly environment: 'production' | 'sandbox';
};

/**
 * Stores attempts, the next steps of their deliveries, and the health of their endpoints, in one statement. Returns the
 * number of events that it wrote.
 *
 * If the lease now belongs to another process, the delivery stays unchanged and only the attempt is stored. A repeat
 * after a lost reply stores no attempt twice.
 */
export async function settleDeliveries(
  db: Db,
  { attempts, reports, now, environment }: AttemptBatch,
): Promise<number> {
  const [row] = await db.query<{ events: number }>(
    settle({ attempts: JSON.stringify(attempts), now, reports: JSON.stringify(reports), environment }),
  );
  return row?.events ?? 0;
}

const settle = prepareFile(import.meta, 'delivery-settle.sql');
