import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import { updatePaymentMethodInput, type PaymentMethodChange } from '../input/stored.ts';
import { lockPaymentMethod, replacePaymentMethod } from '../store/payment-methods.ts';
import { withChange } from './apply-update.ts';
import { recordPaymentMethodEvent } from './event.ts';
import type { PaymentMethod } from './payment-method.ts';

/**
 * Changes a payment method by the four rules of the specification (see withChange). Refuses an expiration date in the past, or
 * of what does not expire, and any change while the payment method is being deleted. Commits once, with the event.
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
    const after = { ...withChange(before, parsed.value), updatedAt: now };
    await replacePaymentMethod(tx, after);
    await recordPaymentMethodEvent(app, tx, 'updated', after);
    return ok(after);
  });
}

/** Why a payment method cannot be changed so; null when it can. */
function refuseChange(
  { status, expirationDate }: PaymentMethod,
  change: PaymentMethodChange,
): InvalidInput | null {
  if (status === 'deleting') return invalidInput(['id'], 'The payment method is being deleted.');
  return change.expirationDate !== undefined && expirationDate === null
    ? invalidInput(
        ['input', 'expirationDate'],
        'Omit the expiration date: this payment method does not expire.',
      )
    : null;
}
