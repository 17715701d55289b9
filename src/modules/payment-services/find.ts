import type { App, Viewer } from '../../app.ts';
import { toPaymentService, type PaymentService } from './payment-service.ts';
import { findStoredByIds } from './store.ts';

/** Payment services in the order of the ids, deleted ones included; null where the merchant account has none of the id. */
export async function findPaymentServices(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (PaymentService | null)[]> {
  const rows = await findStoredByIds(app.db, viewer.merchantAccountId, ids);
  const byId = new Map(rows.map((row) => [row.id, toPaymentService(app, row)]));
  // The database takes a UUID in either case and answers in lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
