import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { countUse, lockPaymentMethod, replacePaymentMethod } from '../store/payment-methods.ts';
import { recordPaymentMethodEvent } from './event.ts';
import { statusAfter, type PaymentMethod, type PaymentMethodHappening } from '../model/payment-method.ts';

type Which = Pick<PaymentMethod, 'merchantAccountId' | 'id'>;

/**
 * Counts a payment with a payment method, in the transaction that settles the payment. Deleted payment methods
 * are counted too.
 */
export const recordPaymentMethodUse = (
  tx: Tx,
  which: Which,
  use: { readonly at: Date; readonly customerInitiated: boolean },
): Promise<void> => countUse(tx, which, use);

/**
 * Changes the status of a payment method and writes the event. No other function writes the status, except a
 * deletion.
 *
 * Returns null and writes nothing if the payment method is unknown or the status does not allow the transition.
 */
export async function movePaymentMethod(
  app: App,
  tx: Tx,
  { merchantAccountId, id }: Which,
  happening: keyof typeof EVENTS,
): Promise<PaymentMethod | null> {
  const before = await lockPaymentMethod(tx, merchantAccountId, id);
  const status = before && statusAfter(before.status, happening);
  if (!before || !status || status === 'deleted') return null;
  const after: PaymentMethod = { ...before, status, updatedAt: app.clock.now() };
  await replacePaymentMethod(tx, after);
  await recordPaymentMethodEvent(app, tx, EVENTS[happening], after);
  return after;
}

/** The event of each transition. */
const EVENTS = {
  approve: 'updated',
  settle_approval: 'updated',
  fail: 'updated',
  pause: 'paused',
  resume: 'resumed',
} as const satisfies Partial<Record<PaymentMethodHappening, string>>;
