import {
  bankReturnReason,
  listedCode,
  type DeclineCode,
  type DeclineKind,
  type BankScheme,
} from '../../door.ts';
import type { BankOnWire } from '../wire/bank-wire.ts';

/** The end of a debit that does not simply settle. A debit that `returns` settles first and comes back later. */
type Fate = {
  readonly end: 'fails' | 'returns';
  /** The return code of the scheme: Nacha for ACH, ISO 20022 for SEPA, ARUDD for Bacs. */
  readonly code: string;
};

/** The part of an answer that is about a debit. */
type DebitReply = {
  readonly id: string;
  readonly result: 'approved' | 'declined' | 'pending';
  readonly code: string;
  readonly message: string;
};

/** The announced debit of a bank account. */
export type AnnouncedOnWire = {
  readonly debits_on: string;
  readonly creditor_id: string | null;
  readonly mandate_reference: string | null;
};

/** A bank account of the sandbox. An account that is not listed settles. */
export type BankAccountOfSandbox = Fate & {
  readonly scheme: BankScheme;
  readonly accountNumber: string;
  readonly meaning: string;
};

export const sandboxBankAccounts: readonly BankAccountOfSandbox[] = [
  ...accountsOf('ach', [
    ['000222222227', 'fails', 'R01', 'insufficient funds'],
    ['000111111113', 'fails', 'R02', 'the account is closed'],
    ['000444444440', 'fails', 'R03', 'no such account'],
    ['000333333335', 'fails', 'R29', 'the company did not authorise the debit'],
    ['000999999991', 'returns', 'R01', 'insufficient funds'],
    ['000999999992', 'returns', 'R07', 'the payer revoked the mandate'],
    ['000999999993', 'returns', 'R10', 'the payer disputes the debit'],
    ['000999999994', 'returns', 'R02', 'the account is closed'],
  ]),
  ...accountsOf('sepa', [
    ['DE62370400440532013001', 'fails', 'AM04', 'insufficient funds'],
    ['DE35370400440532013002', 'fails', 'AC04', 'the account is closed'],
    ['DE08370400440532013003', 'fails', 'AC01', 'no such account'],
    ['DE78370400440532013004', 'returns', 'AM04', 'insufficient funds'],
    ['DE51370400440532013005', 'returns', 'MD01', 'the mandate is missing or revoked'],
    ['DE24370400440532013006', 'returns', 'MD06', 'the payer disputes the debit'],
    ['DE94370400440532013007', 'returns', 'AC04', 'the account is closed'],
  ]),
  ...accountsOf('bacs', [
    ['00022227', 'fails', '0', 'refer to payer: insufficient funds'],
    ['00011113', 'fails', 'B', 'the account is closed'],
    ['00044440', 'fails', '5', 'no such account'],
    ['00099991', 'returns', '0', 'refer to payer: insufficient funds'],
    ['00099992', 'returns', '1', 'the payer cancelled the instruction'],
    ['00099993', 'returns', 'DDIC', 'the payer disputes the debit'],
    ['00099994', 'returns', 'B', 'the account is closed'],
  ]),
];

function accountsOf(
  scheme: BankScheme,
  rows: readonly (readonly [accountNumber: string, end: Fate['end'], code: string, meaning: string])[],
): readonly BankAccountOfSandbox[] {
  return rows.map(([accountNumber, end, code, meaning]) => ({ scheme, accountNumber, end, code, meaning }));
}

/**
 * Returns the first answer to a debit: taken, and decided later. The id names the end, because a look-up knows only the id.
 */
export function takeDebit(
  id: string,
  { scheme, account_number: number, requested_on: day, mandate }: BankOnWire,
): DebitReply & { readonly debit: AnnouncedOnWire } {
  const listed = sandboxBankAccounts.find(
    (account) => account.scheme === scheme && account.accountNumber === number,
  );
  const ending = listed ? `${listed.end}-${scheme}-${listed.code}` : 'settles';
  return {
    ...{ id: `${id}-${ending}`, result: 'pending', code: '01', message: 'Decided within days' },
    debit: {
      debits_on: businessDayAfter(day, NOTICE_DAYS[scheme]),
      creditor_id: CREDITORS[scheme],
      mandate_reference: mandate === null ? `MND-${id.slice(-8).toUpperCase()}` : null,
    },
  };
}

/** Business days between the payment and its debit. */
const NOTICE_DAYS = { ach: 1, sepa: 2, bacs: 3 } as const;

/** ACH has no creditor identifier that the payer must learn. */
const CREDITORS = { ach: null, sepa: 'DE98ZZZ09999999999', bacs: '123456' } as const;

/** Counts the days from Monday to Friday. The sandbox knows no holidays. */
function businessDayAfter(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  for (let left = count; left > 0;) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (date.getUTCDay() % 6 !== 0) left -= 1;
  }
  return date.toISOString().slice(0, 10);
}

/** Returns the decision about a debit with this id, or null for other payments. */
export function decideDebit(id: string | null | undefined): DebitReply | null {
  const end = endOfDebit(id);
  if (id == null || end === null) return null;
  return end !== 'settles' && end.end === 'fails'
    ? { id, result: 'declined', code: end.code, message: 'The bank did not pay' }
    : { id, result: 'approved', code: '00', message: 'Approved' };
}

/** The end that an id of a debit names. Null for other payments. */
export function endOfDebit(
  id: string | null | undefined,
): (Fate & { readonly scheme: BankScheme }) | 'settles' | null {
  const [, settles, end, scheme, code] =
    /-(?:(settles)|(fails|returns)-(ach|sepa|bacs)-([0-9A-Z]+))$/.exec(id ?? '') ?? [];
  if (settles !== undefined) return 'settles';
  if (code === undefined) return null;
  return { end: end as Fate['end'], scheme: scheme as BankScheme, code };
}

/** Returns the normalised reason of a refusal or a return. A bank scheme has codes of its own. */
export function reasonOf(id: string | null | undefined, code: string, kind: DeclineKind): DeclineCode {
  const end = endOfDebit(id);
  return end === null || end === 'settles' ? listedCode(code, kind) : bankReturnReason(end.scheme, code);
}
