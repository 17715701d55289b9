import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { momentAfter, toPaymentService, type PaymentService } from '../model/payment-service.ts';
import { findStored, replaceIfUnchanged } from '../store.ts';

/**
 * Deletes a payment service softly: it takes no new payment. Its past transactions can still be captured, refunded and
 * voided. A repeated call changes nothing and returns the same answer.
 */
export async function deletePaymentService(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<PaymentService, NotFound>> {
  // Each further round follows a change that somebody else stored, so the rounds end.
  for (;;) {
    const stored = await findStored(app.db, viewer.merchantAccountId, id);
    if (!stored) return refuse(notFound('payment service'));
    if (stored.deletedAt) {
      // Another process may have deleted the service, and its notification may still be on the way.
      app.serviceChanges.note();
      return ok(toPaymentService(app, stored));
    }
    const now = momentAfter(stored.updatedAt, app.clock.now());
    const deleted = { ...stored, deletedAt: now, updatedAt: now };
    if (await replaceIfUnchanged(app, stored, deleted)) return ok(toPaymentService(app, deleted));
  }
}
