import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import type { GiftCard } from '../model/gift-card.ts';
import { eraseGiftCard, isGiftCardDeleted, listOfBuyer, lockGiftCard } from '../store/gift-cards.ts';
import { recordGiftCardEvent } from './event.ts';

/**
 * Deletes a stored gift card and answers the id. Commits once, with the event.
 *
 * Erases number and PIN. The money stays at the provider. A second call changes nothing and gives the same
 * answer, so a client can safely retry.
 */
export async function deleteGiftCard(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<string, NotFound>> {
  const deleted = await app.db.transaction(async (tx) => {
    const card = await lockGiftCard(tx, merchantAccountId, id);
    if (card) await deleteGiftCardIn(app, tx, card, app.clock.now());
    return card !== null;
  });
  return deleted || (await isGiftCardDeleted(app.db, merchantAccountId, id))
    ? ok(id.toLowerCase())
    : refuse(notFound('gift card'));
}

/** Erases a gift card in the caller's transaction and writes the event. */
export async function deleteGiftCardIn(app: App, tx: Tx, card: GiftCard, now: Date): Promise<void> {
  await eraseGiftCard(tx, card, now);
  await recordGiftCardEvent(app, tx, 'deleted', { ...card, updatedAt: now });
}

/** Erases all gift cards of a locked buyer and writes their events. */
export async function deleteGiftCardsOf(
  app: App,
  tx: Tx,
  { merchantAccountId, id }: { readonly merchantAccountId: string; readonly id: string },
  now: Date,
): Promise<void> {
  for (const card of await listOfBuyer(tx, merchantAccountId, id)) await deleteGiftCardIn(app, tx, card, now);
}
