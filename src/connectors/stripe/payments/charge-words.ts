import {
  expiryText,
  type AnnouncedDebit,
  type Known,
  type KnownCard,
  type ProviderWords,
} from '../../door.ts';
import type { BankDetails, CardDetails, Charge, PaymentIntent } from '../api/answers.ts';
import { writeToken } from '../model/token.ts';

type Checks = NonNullable<CardDetails['checks']>;

/** Returns the words of a charge that succeeded. Null words where the charge is not expanded. */
export function wordsOfCharge(charge: Partial<Charge> | null | undefined): ProviderWords {
  const card = charge?.payment_method_details?.card;
  return {
    rawResponseCode: null,
    rawResponseDescription: null,
    authResponseCode: card?.authorization_code ?? null,
    merchantAdviceCode: charge?.outcome?.network_advice_code ?? null,
    avsResponseCode: card?.checks ? avsOf(card.checks) : null,
    cvvResponseCode: card?.checks ? cvvOf(card.checks) : null,
    cardCountry: card?.country ?? null,
    ...(card && { card: cardOf(card) }),
  };
}

/** Describes the card behind a token. Stripe tells no first digits. */
export const cardOf = ({ brand, last4, exp_month: month, exp_year: year }: CardFacts): KnownCard => ({
  scheme: SCHEMES.get(brand ?? '') ?? null,
  bin: null,
  lastFour: last4 ?? null,
  expirationDate: expiryText(month, year),
});

type CardFacts = Pick<CardDetails, 'brand' | 'last4' | 'exp_month' | 'exp_year'>;

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ...['amex', 'discover', 'jcb', 'mastercard', 'unionpay', 'visa'].map((name): [string, string] => [
    name,
    name,
  ]),
  ['cartes_bancaires', 'carte_bancaire'],
  ['diners', 'diners_club'],
  ['eftpos_au', 'eftpos_australia'],
]);

/** Joins the checks of the address line and of the postal code. Only given parts are checked. */
export function avsOf({
  address_line1_check: line,
  address_postal_code_check: postal,
}: Pick<Checks, 'address_line1_check' | 'address_postal_code_check'>): string {
  if (line === 'unavailable' || postal === 'unavailable') return 'unavailable';
  const checked = [line, postal].filter((check) => check === 'pass' || check === 'fail');
  if (checked.length === 0) return 'unavailable';
  if (checked.every((check) => check === 'pass')) return 'match';
  if (checked.every((check) => check === 'fail')) return 'no_match';
  return line === 'pass' ? 'partial_match_address' : 'partial_match_postcode';
}

export function cvvOf({ cvc_check: check }: Pick<Checks, 'cvc_check'>): string {
  if (check === 'pass') return 'match';
  if (check === 'fail') return 'no_match';
  return check == null ? 'not_provided' : 'unavailable';
}

/** Returns the names for later payments. The token exists only where the payment asked to store the method. */
export function knownOf(intent: PaymentIntent): Known {
  const { setup_future_usage: usage, customer, payment_method: method, latest_charge: charge } = intent;
  const scheme = charge?.payment_method_details?.card?.network_transaction_id;
  return {
    ...(scheme && { schemeTransactionId: scheme }),
    ...(usage && customer && method && { recurringToken: writeToken(customer, method) }),
  };
}

/** Returns the details of the debit of a bank account. Null without one. */
export const bankDetailsOf = ({ latest_charge: charge }: PaymentIntent): BankDetails | null => {
  const details = charge?.payment_method_details;
  return details?.sepa_debit ?? details?.bacs_debit ?? details?.us_bank_account ?? null;
};

/** Returns the day of a debit, as far as known. */
export const debitOf = ({ expected_debit_date: day }: BankDetails): AnnouncedDebit => ({
  debitsOn: day != null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null,
  creditorId: null,
  mandateReference: null,
});
