import type { BankScheme } from '../../../connectors/interface/requests.ts';
import type { AskedMandate } from './mandate.ts';

/** The names of the fields in the form of a bank debit. */
export type BankFieldName =
  | 'holder'
  | 'iban'
  | 'ach_number'
  | 'routing_number'
  | 'account_type'
  | 'bacs_number'
  | 'sort_code'
  | 'mandate';

/** Values of a bank debit that may be shown again, never a number. */
export type BankValues = { readonly holder: string; readonly accountType: string };

/** The evidence of a consent. */
export type Evidence = {
  /** A new name of the mandate, which is not used again. */
  readonly reference: string;
  readonly now: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
};

/** A submitted bank debit, unchecked. */
export type SubmittedBank = {
  readonly values: BankValues;
  /** Returns the account with its mandate, as createTransaction takes them. */
  account(evidence: Evidence): unknown;
};

/** The method name in a form of a bank debit. */
export const BANK = 'bank';

/** The fields of each scheme, in the order of the form. The holder and the mandate are fields of every scheme. */
export const BANK_FIELDS = {
  ach: { routingNumber: 'routing_number', accountNumber: 'ach_number', accountType: 'account_type' },
  sepa: { routingNumber: null, accountNumber: 'iban', accountType: null },
  bacs: { routingNumber: 'sort_code', accountNumber: 'bacs_number', accountType: null },
} as const satisfies Record<BankScheme, Readonly<Record<string, BankFieldName | null>>>;

/** Reads the form of a bank debit. */
export function readBank({ scheme, text }: AskedMandate, field: (name: string) => string): SubmittedBank {
  const { routingNumber, accountNumber, accountType } = BANK_FIELDS[scheme];
  // A buyer may mistake the field for that of the number. No page shows a number again.
  const holder = (field('holder').match(/\d/g)?.length ?? 0) < DIGITS_MAX ? field('holder') : '';
  const values = { holder, accountType: accountType === null ? '' : field(accountType).slice(0, 20) };
  return {
    values: { ...values, holder: holder.slice(0, 200) },
    account: ({ reference, now, ipAddress, userAgent }) => ({
      scheme,
      accountNumber: field(accountNumber),
      routingNumber: routingNumber && field(routingNumber),
      accountType: accountType && values.accountType,
      accountHolder: holderOf(holder),
      // Without the consent the mandate has no moment, and the payment is refused for that field.
      mandate: { reference, text, acceptedAt: field('mandate') === '' ? null : now, ipAddress, userAgent },
    }),
  };
}

/** Names of companies may have some digits. The shortest number of a form has six. */
const DIGITS_MAX = 6;

/**
 * Splits the holder's name before its last word. Banks compare the whole name, and the provider joins the parts. A
 * single word names a company.
 */
function holderOf(name: string) {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = null] = words;
  if (words.length < 2) return { companyName: first };
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) };
}

/** Returns the field to blame for a refusal at this path, or undefined. */
export function bankFieldAt(scheme: BankScheme, path: readonly string[]): BankFieldName | undefined {
  const [field = ''] = path.slice(3);
  const at = path.slice(0, 3).join('.');
  if (path.join('.') === 'input.buyer.displayName') return 'holder';
  if (at !== 'input.paymentMethod.bank') return undefined;
  if (field === 'accountHolder') return 'holder';
  if (path.slice(3).join('.') === 'mandate.acceptedAt') return 'mandate';
  const fields: Readonly<Record<string, BankFieldName | null>> = BANK_FIELDS[scheme];
  return fields[field] ?? undefined;
}
