import type { App } from '../../../../app.ts';
import { runOperation } from '../../engine/run-operation.ts';
import { leaseOf } from '../../../payment-services/index.ts';
import type { Operated } from '../../model/operation.ts';
import { hasEndedInVain } from '../../model/transaction.ts';
import { orHeld } from '../../hold/held-back.ts';
import { claimReversals } from './claim-reversals.sql.ts';

/**
 * Reverses the gift-card redemptions of a payment that ended without success. Reconciliation retries a reversal without an
 * outcome, and a reversal that is held back.
 */
export async function reverseRedemptions(app: App, { transaction }: Operated): Promise<void> {
  if (transaction.giftCardAmount === 0 || !hasEndedInVain(transaction)) return;
  const now = app.clock.now();
  const claimed = claimReversals(app.db, transaction, { now, leaseUntil: leaseOf(app, now) });
  const reversals = (await orHeld(claimed)) ?? [];
  await Promise.all(reversals.map((claim) => runOperation(app, claim)));
}
