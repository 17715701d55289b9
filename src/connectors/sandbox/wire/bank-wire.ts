import type { BankDebit, Mandate } from '../../door.ts';

/** A bank account in the format of the sandbox provider. */
export type BankOnWire = {
  readonly scheme: BankDebit['scheme'];
  readonly account_number: string;
  readonly routing_number: string | null;
  readonly account_type: BankDebit['accountType'];
  readonly holder: string;
  readonly mandate: {
    readonly reference: string;
    readonly accepted_at: string;
    readonly ip_address: string | null;
    readonly user_agent: string | null;
  } | null;
  readonly requested_on: string;
};

/** Maps a bank account to the provider's format. */
export const bankToWire = (bank: BankDebit): BankOnWire => ({
  scheme: bank.scheme,
  account_number: bank.accountNumber,
  routing_number: bank.routingNumber,
  account_type: bank.accountType,
  holder: holderOf(bank),
  mandate: bank.mandate && mandateToWire(bank.mandate),
  requested_on: bank.requestedOn,
});

const holderOf = ({ accountHolder: { companyName, firstName, lastName } }: BankDebit): string =>
  companyName ?? [firstName, lastName].filter(Boolean).join(' ');

const mandateToWire = ({ reference, acceptedAt, ipAddress, userAgent }: Mandate) => ({
  reference,
  accepted_at: acceptedAt,
  ip_address: ipAddress,
  user_agent: userAgent,
});
