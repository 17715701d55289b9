import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { deleteGiftCardsOf } from '../gift-cards/delete.ts';
import { deletePaymentMethodsOf } from '../stored/delete.ts';
import { eraseBuyer, isDeleted, lockBuyer } from '../store/buyers/buyers.ts';
import { recordBuyerEvent } from './event.ts';

/**
 * Deletes a buyer and answers the id. Commits once, with the events.
 *
 * - Erases the buyer's names, addresses and identifiers, the shipping details, gift cards and payment methods.
 * - Frees the external identifier.
 * - Leaves a payment method with a mandate `deleting`, because no provider is called here.
 * - Leaves payments unchanged: they hold copies of their own.
 *
 * A second call changes nothing and gives the same answer, so a client can safely retry.
 */
export async function deleteBuyer(app: App, viewer: Viewer, id: string): Promise<Result<string, NotFound>> {
  const { merchantAccountId } = viewer;
  const deleted = await app.db.transaction(async (tx) => {
    const buyer = await lockBuyer(tx, merchantAccountId, id);
    if (!buyer) return false;
    const now = app.clock.now();
    await deleteGiftCardsOf(app, tx, buyer, now);
    await deletePaymentMethodsOf(app, tx, buyer);
    await eraseBuyer(tx, buyer, now);
    await recordBuyerEvent(app, tx, 'deleted', { ...buyer, updatedAt: now });
    return true;
  });
  return deleted || (await isDeleted(app.db, merchantAccountId, id))
    ? ok(id.toLowerCase())
    : refuse(notFound('buyer'));
}
