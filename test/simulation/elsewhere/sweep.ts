import type { App } from '../../../src/app.ts';
import { sweepPayment } from '../../../src/modules/transactions/sweep/sweep-payment.ts';
import { nextPayments } from '../../../src/modules/transactions/sweep/store/sweeps.sql.ts';
import { BEGIN_MS } from '../harness.ts';
import type { Stage } from '../stage.ts';
import { count } from '../tally.ts';

/** A payment service of a history. */
export type Swept = { readonly merchantAccountId: string; readonly paymentServiceId: string };

/** Before every payment. */
const FIRST = {
  at: new Date(BEGIN_MS - 86_400_000).toISOString(),
  id: '00000000-0000-0000-0000-000000000000',
};

/** More than a database of a lane has. */
const ALL = 10_000;

/**
 * Compares the open payments of a history with the books of their providers, as the sweep does. Payments of earlier histories
 * are of the same simulated time, and are left out.
 */
export async function sweep(app: App, stage: Stage, services: readonly Swept[]): Promise<void> {
  const mine = new Set(stage.uuids);
  for (const { merchantAccountId, paymentServiceId } of services) {
    const place = { merchantAccountId, paymentServiceId, places: [], proof: null };
    const until = new Date(app.clock.now().getTime() + 86_400_000);
    const payments = await nextPayments(app.db, place, FIRST, { until, limit: ALL });
    for (const payment of payments.filter(({ transaction: { id } }) => mine.has(id))) {
      count(stage.tally, 'made by hand', 'looks of the sweep');
      await sweepPayment(app, paymentServiceId, payment);
    }
  }
}
