import type { PaymentMethodChange } from '../input/stored.ts';
import type { PaymentMethod } from '../model/payment-method.ts';

/**
 * Applies a change to a payment method.
 *
 * - Omitted fields keep their values.
 * - A `schemeTransactionId` of null clears its scheme too, even if the change names a scheme.
 * - The first `schemeTransactionId` without a scheme gets the scheme of the payment method.
 */
export function applyChange(before: PaymentMethod, change: PaymentMethodChange): PaymentMethod {
  const newOr = <Value>(given: Value | undefined, was: Value): Value => (given === undefined ? was : given);
  return {
    ...before,
    expirationDate: newOr(change.expirationDate, before.expirationDate),
    schemeTransactionId: newOr(change.schemeTransactionId, before.schemeTransactionId),
    schemeTransactionIdScheme: schemeOf(before, change),
    // The merchant's own id may be of a payment anywhere.
    schemeTransactionServiceId:
      change.schemeTransactionId === undefined ? before.schemeTransactionServiceId : null,
    transactionLinkId: newOr(change.transactionLinkId, before.transactionLinkId),
  };
}

function schemeOf(before: PaymentMethod, change: PaymentMethodChange): string | null {
  const { schemeTransactionId: id, schemeTransactionIdScheme: scheme } = change;
  if (id === null) return null;
  if (scheme !== undefined) return scheme;
  const isFirst = id !== undefined && before.schemeTransactionIdScheme === null;
  return isFirst ? before.scheme : before.schemeTransactionIdScheme;
}
