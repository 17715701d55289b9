import { METHOD_RULES } from './method-rules.ts';
import type { MethodFacts, NativeStepName, StoredMethod } from './model.ts';
import { FORBIDDEN, invalid, missing, type Answer } from './refusals.ts';

/** The fields of `paymentMethod` that the double reads. The description has checked their types. */
export type MethodBody = {
  readonly type?: string;
  readonly number?: string;
  readonly expiryMonth?: string;
  readonly expiryYear?: string;
  readonly cvc?: string;
  readonly encryptedCardNumber?: string;
  readonly encryptedExpiryMonth?: string;
  readonly encryptedExpiryYear?: string;
  readonly encryptedSecurityCode?: string;
  readonly holderName?: string;
  readonly storedPaymentMethodId?: string;
  readonly recurringDetailReference?: string;
  readonly iban?: string;
  readonly ownerName?: string;
  readonly bankAccountNumber?: string;
};

/** Cards whose issuer asks for 3-D Secure, with the steps in the buyer's client. */
const CARDS_WITH_3DS: ReadonlyMap<string, readonly NativeStepName[]> = new Map([
  ['4212345678901237', ['fingerprint', 'challenge']],
  ['5212345678901234', ['fingerprint', 'challenge']],
  ['5201281505129736', ['fingerprint']],
  ['4917610000000000', ['challenge']],
]);

/** The steps of a card whose issuer does not ask. */
const WITHOUT_CHALLENGE = ['fingerprint'] as const;

/** A payment method as Adyen understands it. `stored`: the token that pays. */
export type Resolved = {
  readonly method: MethodFacts;
  /** The security code. Null if none came. */
  readonly securityCode: string | null;
  readonly stored: StoredMethod | null;
};

export type Shopper = {
  readonly shopperReference: string | undefined;
  readonly rawCards: boolean;
  readonly find: (id: string) => StoredMethod | undefined;
};

/** Reads a payment method, or returns the refusal. */
export function resolveMethod(body: MethodBody, shopper: Shopper): Resolved | Answer {
  const id = body.storedPaymentMethodId ?? body.recurringDetailReference;
  if (id !== undefined) return storedMethod(id, body, shopper);
  const type = body.type ?? 'scheme';
  if (CARD_TYPES.has(type)) return card(body, type, shopper.rawCards);
  if (type === 'sepadirectdebit') return bankAccount(body, body.iban ?? '');
  const isOther = {
    ...{ lastFour: null, expiry: null, holderName: null },
    ...{ asksForBuyer: type in METHOD_RULES, steps: [] },
  };
  return { method: { type, variant: type, ...isOther }, securityCode: null, stored: null };
}

const CARD_TYPES = new Set(['scheme', 'card', 'bcmc', 'networkToken']);

/** True if the bank decides before the buyer comes back. */
export const isPaidBeforeReturn = (type: string): boolean => METHOD_RULES[type]?.isOfBank ?? false;

/** True if Adyen captures the payment without a request. */
export const isCapturedByItself = (type: string): boolean =>
  METHOD_RULES[type]?.capturesLater === false || type === 'sepadirectdebit';

function storedMethod(id: string, { cvc, encryptedSecurityCode }: MethodBody, shopper: Shopper) {
  if (shopper.shopperReference === undefined) return missing('shopperReference');
  const stored = shopper.find(id);
  if (!stored) return invalid('803', 'PaymentDetail not found');
  if (stored.shopperReference !== shopper.shopperReference) return invalid('800', 'Contract not found');
  const code = cvc ?? decrypt(encryptedSecurityCode ?? '');
  return { method: stored.method, stored, securityCode: code === '' ? null : code };
}

function card(body: MethodBody, type: string, rawCards: boolean): Resolved | Answer {
  const isRaw = body.encryptedCardNumber === undefined;
  if (isRaw && !rawCards) return FORBIDDEN;
  const number = isRaw ? body.number : decrypt(body.encryptedCardNumber);
  const month = isRaw ? body.expiryMonth : decrypt(body.encryptedExpiryMonth ?? '');
  const year = isRaw ? body.expiryYear : decrypt(body.encryptedExpiryYear ?? '');
  const securityCode = isRaw ? (body.cvc ?? '') : decrypt(body.encryptedSecurityCode ?? '');
  if ([number, month, year, securityCode].includes(null)) return UNREADABLE_CARD;
  if (!number || !isCardNumber(number)) return invalid('101', 'Invalid card number');
  if (!month) return invalid('140', 'Expiry month should be between 1 and 12 inclusive');
  if (!year) return invalid('141', 'Expiry year should be a 4 digit number greater than 2000');
  if (!/^(0?[1-9]|1[0-2])$/.test(month) || !/^20\d\d$/.test(year))
    return invalid('129', 'Expiry Date Invalid');
  if (securityCode && !/^\d{3,4}$/.test(securityCode)) return invalid('103', 'CVC is not the right length');
  return {
    method: {
      type,
      variant: variantOf(number),
      lastFour: number.slice(-4),
      expiry: `${month.padStart(2, '0')}/${year}`,
      holderName: body.holderName ?? null,
      asksForBuyer: CARDS_WITH_3DS.has(number),
      steps: CARDS_WITH_3DS.get(number) ?? WITHOUT_CHALLENGE,
    },
    securityCode: securityCode || null,
    stored: null,
  };
}

const UNREADABLE_CARD = invalid('174', 'Unable to decrypt data');

/**
 * Reads an encrypted field of the test environment, which is `test_` and the value in clear. Null if the field cannot be
 * decrypted. An absent field stays empty.
 */
const decrypt = (field: string | undefined): string | null =>
  field === undefined || field === '' ? '' : (/^test_(.+)$/.exec(field)?.[1] ?? null);

/** Checks the length and the last digit. */
function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const digits = number.split('').toReversed().map(Number);
  const sum = digits.reduce((total, digit, place) => {
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function variantOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^3[47]/.test(number)) return 'amex';
  return /^(5|2[2-7])/.test(number) ? 'mc' : 'discover';
}

function bankAccount({ ownerName = '' }: MethodBody, iban: string): Resolved | Answer {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(iban)) return invalid('161', 'Invalid iban');
  if (ownerName === '') return invalid('160', 'Invalid ownerName');
  const facts = {
    ...{ lastFour: iban.slice(-4), expiry: null, holderName: ownerName },
    ...{ asksForBuyer: false, steps: [] },
  };
  return {
    method: { type: 'sepadirectdebit', variant: 'sepadirectdebit', ...facts },
    securityCode: null,
    stored: null,
  };
}
