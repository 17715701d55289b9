import type { AnnouncedDebit } from '../../../connectors/interface/outcome.ts';
import type { BankAccount, BankScheme, Mandate } from '../../../connectors/interface/requests.ts';

/** The bank account that a payment debits, without its number, and the consent of the payer. */
export type BankPayment = {
  readonly scheme: BankScheme;
  readonly lastFour: string;
  /** Null if the merchant keeps the mandate. */
  readonly mandate: Mandate | null;
  /** The debit as the provider announced it. Null before, or if the provider announces nothing. */
  readonly debit: AnnouncedDebit | null;
};

/** Returns the part of a bank account that a payment shows. */
export const bankPaymentOf = ({ scheme, accountNumber, mandate }: BankAccount): BankPayment => ({
  scheme,
  lastFour: accountNumber.slice(-4),
  mandate,
  debit: null,
});

/** Returns the reference of the mandate: the provider's, or else the merchant's. */
export const mandateReferenceOf = ({
  debit,
  mandate,
}: Pick<BankPayment, 'debit' | 'mandate'>): string | null =>
  debit?.mandateReference ?? mandate?.reference ?? null;
