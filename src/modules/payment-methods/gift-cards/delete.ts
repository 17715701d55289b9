import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/db.ts';
import type { GiftCard } from '../gift-card.ts';
import { eraseGiftCard, isGiftCardDeleted, listOfBuyer, lockGiftCard } from '../store/gift-cards.ts';
import { recordGiftCardEvent } from './event.ts';

/**
 * Deletes a stored gift card: number and PIN are erased; the money stays where it is, at the provider. Asked again it answers
 * the same and changes nothing, so that a lost answer can be asked for. Commits once, with the event; answers the id.
 */
export async function deleteGiftCard(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<string, NotFound>> {
  const deleted = await app.db.transaction(async (tx) => {
    const card = await lockGiftCard(tx, merchantAccountId, id);
    if (card) await dropGiftCard(app, tx, card, app.clock.now());
    return card !== null;
  });
  return deleted || (await isGiftCardDeleted(app.db, merchantAccountId, id))
    ? ok(id.toLowerCase())
    : refuse(notFound('gift card'));
}

/** Erases a gift card in the caller's transaction, with its event. */
export async function dropGiftCard(app: App, tx: Tx, card: GiftCard, now: Date): Promise<void> {
  await eraseGiftCard(tx, card, now);
  await recordGiftCardEvent(app, tx, 'deleted', { ...card, updatedAt: now });
}

/** Erases all gift cards of a buyer that is locked, each with its event. */
export async function dropGiftCardsOf(
  app: App,
  tx: Tx,
  { merchantAccountId, id }: { readonly merchantAccountId: string; readonly id: string },
  now: Date,
): Promise<void> {
  for (const card of await listOfBuyer(tx, merchantAccountId, id)) await dropGiftCard(app, tx, card, now);
}
