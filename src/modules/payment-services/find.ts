import type { App, Viewer } from '../../app.ts';
import { toPaymentService, type PaymentService } from './payment-service.ts';
import { findStoredByIds } from './store.ts';

/** Returns payment services in the order of the ids, deleted ones included. An unknown id gives null. */
export async function findPaymentServices(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (PaymentService | null)[]> {
  const rows = await findStoredByIds(app.db, viewer.merchantAccountId, ids);
  const byId = new Map(rows.map((row) => [row.id, toPaymentService(app, row)]));
  // The database accepts a UUID in either case and returns lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
