import type { Buyer, BuyerDetails } from '../../payment-methods/index.ts';

/** Copies the details of a stored buyer. */
export function detailsOf(buyer: Buyer | null): BuyerDetails | null {
  if (!buyer) return null;
  const { displayName, externalIdentifier, accountNumber, billingDetails } = buyer;
  return { displayName, externalIdentifier, accountNumber, billingDetails };
}
