import { mandateReferenceOf, type BankPayment } from '../../../modules/transactions/index.ts';

/** Shows the bank account of a payment, with the provider's reference of the mandate before the merchant's. */
export const bankOf = ({ scheme, lastFour, mandate, debit }: BankPayment) => ({
  scheme,
  lastFour,
  debitsOn: debit?.debitsOn ?? null,
  creditorId: debit?.creditorId ?? null,
  mandateReference: mandateReferenceOf({ mandate, debit }),
  mandate: mandate && { ...mandate, acceptedAt: new Date(mandate.acceptedAt) },
});
