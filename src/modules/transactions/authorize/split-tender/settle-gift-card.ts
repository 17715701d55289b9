import type { App } from '../../../../app.ts';
import { queryIn, type Tx } from '../../../../platform/db.ts';
import { recordGiftCardReturn, recordGiftCardUse } from '../../../payment-methods/index.ts';
import { readRedemptions } from './redemptions.sql.ts';
import { settleOperation, type Settled, type Settlement } from '../../engine/settle.sql.ts';

/**
 * Settles an operation, and what it means for a stored gift card with it: its uses, and the balance that is known. One
 * commit; null when the operation was settled before.
 */
export async function settleWithGiftCard(app: App, settlement: Settlement): Promise<Settled | null> {
  const { operation, outcome } = settlement;
  if (operation.redemptionId === null || outcome.kind !== 'succeeded') {
    return settleOperation(app.db, settlement);
  }
  return app.db.transaction(async (tx) => {
    const settled = await settleOperation(queryIn(tx), settlement);
    if (settled) await count(app, tx, settled, settlement.now);
    return settled;
  });
}

async function count(app: App, tx: Tx, { operation, transaction }: Settled, now: Date): Promise<void> {
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
