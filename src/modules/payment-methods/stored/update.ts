import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { updatePaymentMethodInput, type PaymentMethodChange } from '../input/stored.ts';
import { lockPaymentMethod, replacePaymentMethod } from '../store/payment-methods.ts';
import { applyChange } from './apply-update.ts';
import { recordPaymentMethodEvent } from './event.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

/**
 * Changes a payment method by the rules of `applyChange`. Commits once, with the event.
 *
 * Refuses these changes:
 *
 * - An expiration date in the past.
 * - An expiration date of a payment method that does not expire.
 * - Any change of a payment method that is being deleted.
 */
export async function updatePaymentMethod(
  app: App,
  viewer: Viewer,
  id: string,
  given: unknown,
): Promise<Result<PaymentMethod, InvalidInput | NotFound>> {
  const now = app.clock.now();
  const parsed = parseInput(
    updatePaymentMethodInput((question) => question(now)),
    given,
  );
  if (!parsed.ok) return parsed;
  return await app.db.transaction(async (tx) => {
    const before = await lockPaymentMethod(tx, viewer.merchantAccountId, id);
    if (!before) return refuse(notFound('payment method'));
    const refusal = refuseChange(before, parsed.value);
    if (refusal) return refuse(refusal);
    const after = { ...applyChange(before, parsed.value), updatedAt: now };
    await replacePaymentMethod(tx, after);
    await recordPaymentMethodEvent(app, tx, 'updated', after);
    return ok(after);
  });
}

/** Returns the reason to refuse a change, or null. */
function refuseChange(
  { status, expirationDate }: PaymentMethod,
  change: PaymentMethodChange,
): InvalidInput | null {
  if (status === 'deleting')
    return invalidInput(['id'], 'The payment method is being deleted and cannot be changed.');
  return change.expirationDate !== undefined && expirationDate === null
    ? invalidInput(
        ['input', 'expirationDate'],
        'Omit the expiration date: this payment method does not expire.',
      )
    : null;
}
