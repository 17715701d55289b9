import { holdsCardNumber, passesLuhn } from '../../kernel/account-numbers/card-number.ts';
import type { AskedMandate } from './bank/mandate.ts';
import {
  BANK,
  bankFieldAt,
  readBank,
  type BankFieldName,
  type BankValues,
  type Evidence,
} from './bank/submission.ts';
import type { GivenGiftCard, PayRefusal, SharedOut, Submission } from '../../modules/payment-links/index.ts';

/** The names of the form's fields. */
export type FieldName = 'number' | 'expiry' | 'security_code' | 'network' | 'name';

/**
 * Values that may be shown again in a form with faults. The field `stored` is the id of a stored card, or empty
 * for another card.
 */
export type FormValues = {
  readonly expiry: string;
  readonly name: string;
  readonly stored: string;
  /** The chosen network of a co-badged card. Empty without a choice. */
  readonly network: string;
  /** Null if the form is of another method. */
  readonly bank: BankValues | null;
};

/** A form that changes gift cards and pays nothing. */
export type GiftCardStep =
  | { readonly kind: 'add'; readonly giftCard: GivenGiftCard }
  /** Null if the form names no card. Then no card is removed. */
  | { readonly kind: 'remove'; readonly index: number | null };

/** The content of a form, unchecked. */
export type SubmittedForm = {
  readonly formKey: string | null;
  readonly method: string;
  readonly values: FormValues;
  /** The digits of the security code of the typed number. Null while the scheme is unknown. */
  readonly codeLength: number | null;
  /** The values of the page's script. Empty without a script. */
  readonly browser: string;
  /** Null if the form pays. */
  readonly giftCardStep: GiftCardStep | null;
  /** Returns the payment methods of the form. */
  submission(sending: Sending): Submission;
};

/** `redirectUrl`: the return address after an approval elsewhere. */
export type Sending = { readonly redirectUrl: string; readonly evidence: Evidence };

/** `asksName` is true if the form asks for the payer's name. `giftCards` are the amounts that gift cards pay. */
type Requested = {
  readonly asksName: boolean;
  readonly giftCards: Pick<SharedOut, 'payingCards'>;
  /** The mandate on the page. Null if no account can be debited. */
  readonly mandate: AskedMandate | null;
};

/** Reads a submitted form. */
export function readForm(body: unknown, { asksName, giftCards, mandate }: Requested): SubmittedForm {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  const method = text('method');
  const stored = text('stored').slice(0, 50);
  // A buyer may mistake the field for that of the number. An empty name is refused, and the page shows no number again.
  const name = holdsCardNumber(text('name')) ? '' : text('name');
  const bank = method === BANK && mandate ? readBank(mandate, text) : null;
  const values = {
    ...{ expiry: text('expiry').slice(0, 10), name: name.slice(0, 200), stored },
    network: text('network').slice(0, 20),
    bank: bank && bank.values,
  };
  const securityCode = text('security_code');
  const card = {
    // An empty number or code is refused with the other fields.
    number: isMistyped(text('number')) ? '' : text('number'),
    expirationDate: values.expiry.replace(/\s/g, ''),
    securityCode: hasCodeOfOther(text('number'), securityCode) ? '' : securityCode,
    network: values.network === '' ? null : values.network,
  };
  const isNewCard = method === 'card' && stored === '';
  const cardOrStored = isNewCard ? { card } : { stored: { id: stored, securityCode } };
  const token = { token: text('wallet_token') };
  const ownMeans = method === 'card' ? cardOrStored : walletOf(method, token);
  const other = method === GIFT_CARDS_ALONE ? null : { redirect: { method } };
  return {
    formKey: form.get('form_key'),
    method,
    values,
    codeLength: codeLengthOf(text('number')),
    browser: text('browser'),
    giftCardStep: giftCardStepOf(method, text),
    submission: ({ redirectUrl, evidence }) => ({
      paymentMethod: bank ? { bank: bank.account(evidence) } : (ownMeans ?? other),
      giftCards: giftCards.payingCards.map(({ number, pin, amount }) => ({ number, pin, amount })),
      redirectUrl,
      // The page has no client that can open a session. A buyer who approves elsewhere is redirected.
      integrationClient: other ? null : 'web',
      // An empty name is refused with the other fields: only null is no name.
      buyer: asksName && (isNewCard || bank) ? { displayName: bank ? bank.values.holder : name } : null,
    }),
  };
}

/** The method names in the forms with a token of a wallet. */
export const APPLE_PAY = 'applepay';
export const GOOGLE_PAY = 'googlepay';

/** Returns the wallet of a form with its token. Null for another method. */
function walletOf(method: string, token: { readonly token: string }): Submission['paymentMethod'] {
  if (method === APPLE_PAY) return { applePay: token };
  return method === GOOGLE_PAY ? { googlePay: token } : null;
}

/** The method names in a form that gift cards pay alone, and in a form that changes them. */
export const GIFT_CARDS_ALONE = 'gift-card';
export const ADD_GIFT_CARD = 'add-gift-card';
export const REMOVE_GIFT_CARD = 'remove-gift-card';

function giftCardStepOf(method: string, text: (name: string) => string): GiftCardStep | null {
  if (method === REMOVE_GIFT_CARD) return { kind: 'remove', index: indexOf(text('index')) };
  if (method !== ADD_GIFT_CARD) return null;
  return { kind: 'add', giftCard: { number: text('gift_number'), pin: text('gift_pin') } };
}

/** Digits alone: `Number` takes an empty text for 0, and so for the first. */
const indexOf = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);

/** Tells whether a card number has a wrong check digit. Checks only schemes that always have one. */
export function isMistyped(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  return CHECKED.test(digits) && !passesLuhn(digits);
}

/** Tells whether a security code has the length of another scheme's. */
export function hasCodeOfOther(number: string, securityCode: string): boolean {
  const length = codeLengthOf(number);
  return length !== null && securityCode.length !== length;
}

/** Returns the length of the security code by how a number begins. Null for a scheme that the number does not tell. */
function codeLengthOf(number: string): number | null {
  const digits = number.replace(/\D/g, '');
  if (!CHECKED.test(digits)) return null;
  return AMERICAN_EXPRESS.test(digits) ? AMEX_CODE_LENGTH : CODE_LENGTH;
}

/** Returns the length of the security code of a scheme. Null for an unknown scheme. */
export const codeLengthAt = (scheme: string | null): number | null =>
  scheme === null ? null : scheme === 'amex' ? AMEX_CODE_LENGTH : CODE_LENGTH;

const CODE_LENGTH = 3;
const AMEX_CODE_LENGTH = 4;

const AMERICAN_EXPRESS = /^3[47]/;

/** American Express, Diners Club, JCB, Visa, Mastercard and Discover. Some numbers of UnionPay have no check digit. */
const CHECKED = /^(?:3|4|5[1-5]|2[2-7]|6011|64[4-9]|65)/;

/** Returns the fields to blame for refusals, of the card or of the `debit`. Null when the cause is elsewhere, and no buyer can correct it. */
export function wrongFields(
  refusals: readonly PayRefusal[],
  debit: AskedMandate | null = null,
): ReadonlySet<FieldName | BankFieldName> | null {
  const fields = refusals.map((refusal) => {
    if (refusal.kind !== 'InvalidInput') return undefined;
    return debit ? bankFieldAt(debit.scheme, refusal.path) : FIELD_AT[refusal.path.join('.')];
  });
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? new Set(known) : null;
}

/** Tells whether a chosen stored card was refused. */
export const isStoredRefused = (refusals: readonly PayRefusal[]): boolean =>
  refusals.some((refusal) => 'path' in refusal && refusal.path.join('.') === 'input.paymentMethod.stored.id');

const FIELD_AT: Readonly<Record<string, FieldName>> = {
  'input.paymentMethod.card.number': 'number',
  'input.paymentMethod.card.expirationDate': 'expiry',
  'input.paymentMethod.card.securityCode': 'security_code',
  'input.paymentMethod.card.network': 'network',
  'input.paymentMethod.stored.securityCode': 'security_code',
  'input.buyer.displayName': 'name',
};
