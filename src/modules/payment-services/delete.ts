import type { App, Viewer } from '../../app.ts';
import { notFound, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { momentAfter, toPaymentService, type PaymentService } from './payment-service.ts';
import { findStored, replaceIfUnchanged } from './store.ts';

/**
 * Deletes a payment service softly: it takes no new payment, while the transactions that went through it can still be
 * captured, refunded and voided. Asked again it answers the same and changes nothing, so that a lost answer can be asked for.
 */
export async function deletePaymentService(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<PaymentService, NotFound>> {
  // Every further round follows a change that somebody else has stored, so the rounds end.
  for (;;) {
    const stored = await findStored(app.db, viewer.merchantAccountId, id);
    if (!stored) return refuse(notFound('payment service'));
    if (stored.deletedAt) return ok(toPaymentService(app, stored));
    const now = momentAfter(stored.updatedAt, app.clock.now());
    const deleted = { ...stored, deletedAt: now, updatedAt: now };
    if (await replaceIfUnchanged(app.db, stored, deleted)) return ok(toPaymentService(app, deleted));
  }
}
