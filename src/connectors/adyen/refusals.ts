import type { DeclineCode } from '../door.ts';

/** The meaning of a refusal: the normalised reason, and the way in which the payment ended. */
export type Refusal = { readonly kind: 'declined' | 'failed'; readonly errorCode: DeclineCode };

/** One refusal of Adyen. An answer has the number, and both the answer and the webhook have the words. */
export type RefusalRow = {
  /** `refusalReasonCode` of an answer. */
  readonly code: string;
  /** The words of `refusalReason` and of a webhook's `reason`, in lower case. */
  readonly words: readonly string[];
  readonly refusal: Refusal;
};

const declined = (code: string, errorCode: DeclineCode, ...words: readonly string[]): RefusalRow => ({
  ...{ code, words },
  refusal: { kind: 'declined', errorCode },
});
const failed = (code: string, errorCode: DeclineCode, ...words: readonly string[]): RefusalRow => ({
  ...{ code, words },
  refusal: { kind: 'failed', errorCode },
});

/** Every refusal of a payment. The issuer's own code refines code 2. */
export const REFUSALS: readonly RefusalRow[] = [
  declined('2', 'issuer_decline', 'refused', 'declined'),
  declined('3', 'issuer_decline', 'referral'),
  failed('4', 'service_error', 'acquirer error'),
  declined('5', 'canceled_payment_method', 'blocked card'),
  declined('6', 'expired_payment_method', 'expired card'),
  failed('7', 'invalid_amount', 'invalid amount'),
  failed('8', 'invalid_payment_method', 'invalid card number'),
  declined('9', 'issuer_decline', 'issuer unavailable'),
  declined('10', 'refused_transaction', 'not supported'),
  failed('11', 'failed_buyer_approval', '3d not authenticated'),
  declined('12', 'insufficient_funds', 'not enough balance'),
  declined('14', 'suspected_fraud', 'acquirer fraud'),
  failed('15', 'canceled', 'cancelled'),
  failed('16', 'cancelled_buyer_approval', 'shopper cancelled'),
  declined('17', 'refused_transaction', 'invalid pin'),
  declined('18', 'refused_transaction', 'pin tries exceeded'),
  declined('19', 'refused_transaction', 'pin validation not possible'),
  declined('20', 'suspected_fraud', 'fraud'),
  failed('21', 'service_error', 'not submitted'),
  declined('22', 'suspected_fraud', 'fraud-cancelled'),
  declined('23', 'refused_transaction', 'transaction not permitted'),
  declined('24', 'incorrect_cvv', 'cvc declined'),
  declined('25', 'refused_transaction', 'restricted card'),
  declined('26', 'refused_transaction', 'revocation of auth'),
  declined('27', 'other_decline', 'declined non generic'),
  declined('28', 'insufficient_funds', 'withdrawal amount exceeded'),
  declined('29', 'insufficient_funds', 'withdrawal count exceeded'),
  declined('31', 'suspected_fraud', 'issuer suspected fraud'),
  declined('32', 'incorrect_billing_address', 'avs declined'),
  declined('33', 'refused_transaction', 'card requires online pin'),
  declined('34', 'refused_transaction', 'no checking account available on card'),
  declined('35', 'refused_transaction', 'no savings account available on card'),
  declined('36', 'refused_transaction', 'mobile pin required'),
  declined('37', 'refused_transaction', 'contactless fallback'),
  failed('38', 'requires_buyer_authentication', 'authentication required'),
  failed('39', 'failed_buyer_approval', 'rreq not received from ds'),
  declined('40', 'refused_transaction', 'current aid is in penalty box'),
  declined('41', 'refused_transaction', 'cvm required restart payment'),
  failed('42', 'failed_buyer_approval', '3ds authentication error'),
  declined('43', 'refused_transaction', 'online pin required'),
  declined('44', 'refused_transaction', 'try another interface'),
  declined('45', 'refused_transaction', 'chip downgrade mode'),
  declined('46', 'refused_transaction', 'transaction blocked by adyen to prevent excessive retry fees'),
  declined('50', 'canceled_payment_method', 'token revoked'),
];

/** The refusals by number. */
export const BY_CODE: ReadonlyMap<string, Refusal> = new Map(
  REFUSALS.map(({ code, refusal }) => [code, refusal]),
);

const CODES_BY_WORDS: ReadonlyMap<string, string> = new Map(
  REFUSALS.flatMap(({ code, words }) => words.map((each) => [each, code] as const)),
);

/** Returns the number of a refusal by its words, whatever their case and with or without a full stop. */
export const codeOfWords = (words: string | null | undefined): string | undefined =>
  CODES_BY_WORDS.get((words ?? '').trim().replace(/\.$/, '').toLowerCase());

/** The issuer's codes that say more than "refused", as in `51 : Not sufficient funds`. */
export const BY_ISSUER_CODE: Readonly<Record<string, DeclineCode>> = {
  ...sameFor(['04', '07', '41', '43'], 'canceled_payment_method'),
  ...sameFor(['51', '61'], 'insufficient_funds'),
  '54': 'expired_payment_method',
  ...sameFor(['57', '62'], 'refused_transaction'),
  ...sameFor(['59', '63'], 'suspected_fraud'),
  ...sameFor(['65', '1A'], 'requires_buyer_authentication'),
  ...sameFor(['R0', 'R1', 'R3'], 'refused_transaction'),
  N7: 'incorrect_cvv',
};

function sameFor(codes: readonly string[], value: DeclineCode): Readonly<Record<string, DeclineCode>> {
  return Object.fromEntries(codes.map((code) => [code, value]));
}
