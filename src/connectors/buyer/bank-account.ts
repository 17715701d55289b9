/** A bank account in clear. Held in memory for one call. */
export type BankAccount = {
  readonly scheme: BankScheme;
  /** Without spaces. For SEPA the IBAN. */
  readonly accountNumber: string;
  /** ACH: the ABA number. Bacs: the sort code. SEPA: the BIC, or null. */
  readonly routingNumber: string | null;
  /** Null except for ACH. */
  readonly accountType: 'checking' | 'savings' | null;
  /** A person with both names, or a company. */
  readonly accountHolder: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly companyName: string | null;
  };
  /** Null if the merchant keeps the mandate. */
  readonly mandate: Mandate | null;
};

export type BankScheme = 'ach' | 'sepa' | 'bacs';

/** The payer's consent to debits of a bank account, with its evidence. */
export type Mandate = {
  /** The merchant's reference, 1 to 35 characters of SEPA. Unique for the merchant. */
  readonly reference: string;
  /** The text that the payer accepted. Null if not known. */
  readonly text: string | null;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
};
