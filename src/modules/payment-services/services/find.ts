import type { App, Viewer } from '../../../app.ts';
import { inOrderOf } from '../../../platform/ids.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { findLines } from './known-lines.ts';
import { toPaymentService, type PaymentService } from '../model/payment-service.ts';
import { findStoredByIds } from '../store.ts';

/**
 * Returns payment services in the order of the ids, deleted ones included. An unknown id gives null. A line has the fields
 * that name the service, and another field of it throws.
 */
export async function findPaymentServices(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
  columns: LineOrWhole = 'whole',
): Promise<readonly (PaymentService | null)[]> {
  const { merchantAccountId } = viewer;
  const found =
    columns === 'line'
      ? await findLines(app, merchantAccountId, ids)
      : (await findStoredByIds(app.db, merchantAccountId, ids)).map((row) => toPaymentService(app, row));
  return inOrderOf(ids, found);
}
