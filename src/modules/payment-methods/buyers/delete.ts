import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { dropGiftCardsOf } from '../gift-cards/delete.ts';
import { dropPaymentMethodsOf } from '../stored/delete.ts';
import { eraseBuyer, isDeleted, lockBuyer } from '../store/buyers.ts';
import { recordBuyerEvent } from './event.ts';

/**
 * Deletes a buyer: its names, addresses and identifiers are erased with its shipping details, gift cards and payment methods,
 * and its external identifier is free again. A payment method with a mandate stays `deleting`, because no provider is called
 * here. Payments keep the copies that were made for them. Asked again it answers the same and changes nothing, so that a lost
 * answer can be asked for. Commits once, with the events; answers the id.
 */
export async function deleteBuyer(app: App, viewer: Viewer, id: string): Promise<Result<string, NotFound>> {
  const { merchantAccountId } = viewer;
  const deleted = await app.db.transaction(async (tx) => {
    const buyer = await lockBuyer(tx, merchantAccountId, id);
    if (!buyer) return false;
    const now = app.clock.now();
    await dropGiftCardsOf(app, tx, buyer, now);
    await dropPaymentMethodsOf(app, tx, buyer);
    await eraseBuyer(tx, buyer, now);
    await recordBuyerEvent(app, tx, 'deleted', { ...buyer, updatedAt: now });
    return true;
  });
  return deleted || (await isDeleted(app.db, merchantAccountId, id))
    ? ok(id.toLowerCase())
    : refuse(notFound('buyer'));
}
