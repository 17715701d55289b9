import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/db.ts';
import { countUse, lockPaymentMethod, replacePaymentMethod } from '../store/payment-methods.ts';
import { recordPaymentMethodEvent } from './event.ts';
import { statusAfter, type PaymentMethod, type PaymentMethodHappening } from './payment-method.ts';

type Which = Pick<PaymentMethod, 'merchantAccountId' | 'id'>;

/** Counts a payment with a payment method, in the transaction that settles the payment; a deleted one is counted too. */
export const recordPaymentMethodUse = (
  tx: Tx,
  which: Which,
  use: { readonly at: Date; readonly customerInitiated: boolean },
): Promise<void> => countUse(tx, which, use);

/**
 * Moves a payment method on by what has happened to it, with the event; for what is not its deletion the only writer of the
 * status. Null, and nothing written, when it is unknown or its status has no such way.
 */
export async function movePaymentMethod(
  app: App,
  tx: Tx,
  { merchantAccountId, id }: Which,
  happening: keyof typeof TOLD,
): Promise<PaymentMethod | null> {
  const before = await lockPaymentMethod(tx, merchantAccountId, id);
  const status = before && statusAfter(before.status, happening);
  if (!before || !status || status === 'deleted') return null;
  const after: PaymentMethod = { ...before, status, updatedAt: app.clock.now() };
  await replacePaymentMethod(tx, after);
  await recordPaymentMethodEvent(app, tx, TOLD[happening], after);
  return after;
}

/** What each happening is told as. */
const TOLD = {
  approve: 'updated',
  settle_approval: 'updated',
  fail: 'updated',
  pause: 'paused',
  resume: 'resumed',
} as const satisfies Partial<Record<PaymentMethodHappening, string>>;
