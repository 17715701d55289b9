import type { App } from '../../../app.ts';
import { queryIn, type Tx } from '../../../platform/database/db.ts';
import { recordGiftCardReturn, recordGiftCardUse } from '../../payment-methods/index.ts';
import { readRedemptions } from '../redemption/redemptions.sql.ts';
import type { Written } from './apply.sql.ts';

/** Records the effect of a settled operation on its stored gift card: the uses, and the known balance. */
export async function recordGiftCardMovement(
  app: App,
  tx: Tx,
  { operation, transaction }: Written,
  now: Date,
): Promise<void> {
  const { merchantAccountId, kind, amount, redemptionId } = operation;
  const redemptions = await readRedemptions(queryIn(tx), merchantAccountId, [transaction.id]);
  const id = redemptions.find((redemption) => redemption.id === redemptionId)?.giftCardId;
  if (!id) return;
  if (kind === 'redeem') {
    const buyerInitiated = !transaction.merchantInitiated;
    return recordGiftCardUse(app, tx, { merchantAccountId, id, amount, buyerInitiated, usedAt: now });
  }
  await recordGiftCardReturn(app, tx, { merchantAccountId, id, amount, returnedAt: now });
}
