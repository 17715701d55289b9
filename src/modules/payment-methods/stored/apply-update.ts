import type { PaymentMethodChange } from '../input/stored.ts';
import type { PaymentMethod } from './payment-method.ts';

/**
 * A payment method with a change (spec "PUT /payment-methods"): what is left out stays, and so does the id; a
 * schemeTransactionId of null clears its scheme too, whatever is given for that; and where no scheme is given and none was
 * there, a schemeTransactionId is of the payment method's own scheme.
 */
export function withChange(before: PaymentMethod, change: PaymentMethodChange): PaymentMethod {
  const kept = <Value>(given: Value | undefined, was: Value): Value => (given === undefined ? was : given);
  return {
    ...before,
    expirationDate: kept(change.expirationDate, before.expirationDate),
    schemeTransactionId: kept(change.schemeTransactionId, before.schemeTransactionId),
    schemeTransactionIdScheme: schemeOf(before, change),
    transactionLinkId: kept(change.transactionLinkId, before.transactionLinkId),
  };
}

function schemeOf(before: PaymentMethod, change: PaymentMethodChange): string | null {
  const { schemeTransactionId: id, schemeTransactionIdScheme: scheme } = change;
  if (id === null) return null;
  if (scheme !== undefined) return scheme;
  const isFirst = id !== undefined && before.schemeTransactionIdScheme === null;
  return isFirst ? before.scheme : before.schemeTransactionIdScheme;
}
