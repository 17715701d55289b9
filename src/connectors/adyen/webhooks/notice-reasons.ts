import type { DeclineCode } from '../../decline-codes.ts';
import type { SchemeCodes } from '../../scheme-codes.ts';
import { refusalOf, responseCodeOf, type Refusal } from '../errors.ts';
import { adviceOf } from '../payments/checks.ts';
import type { AdyenEvent } from './notification.ts';

/** The words of `reason` that name a refusal, by Adyen's number of the same refusal. */
const REFUSAL_NUMBERS: Readonly<Record<string, string>> = {
  refused: '2',
  referral: '3',
  'acquirer error': '4',
  'blocked card': '5',
  'expired card': '6',
  'invalid amount': '7',
  'invalid card number': '8',
  'issuer unavailable': '9',
  'not supported': '10',
  '3d not authenticated': '11',
  'not enough balance': '12',
  'acquirer fraud': '14',
  cancelled: '15',
  'shopper cancelled': '16',
  fraud: '20',
  'not submitted': '21',
  'fraud-cancelled': '22',
  'transaction not permitted': '23',
  'cvc declined': '24',
  'restricted card': '25',
  'revocation of auth': '26',
  'declined non generic': '27',
  'withdrawal amount exceeded': '28',
  'withdrawal count exceeded': '29',
  'issuer suspected fraud': '31',
  'avs declined': '32',
  'authentication required': '38',
};

/** Returns the meaning of a refused authorisation. A webhook tells the words of the refusal, or the issuer's own. */
export function declineOf(event: AdyenEvent): Refusal {
  const { reason } = event;
  const number = REFUSAL_NUMBERS[plainOf(reason)] ?? (isOfIssuer(event) ? '2' : undefined);
  return refusalOf(number, issuerWordsOf(event));
}

/** Returns the codes of the scheme or the issuer in a refusal. Both come only where the Customer Area switches them on. */
export const schemeCodesOf = (event: AdyenEvent): SchemeCodes => ({
  merchantAdviceCode: adviceOf(event.data['merchantAdviceCode']),
  networkResponseCode: responseCodeOf(issuerWordsOf(event)),
});

/** True if the reason has the issuer's own words, such as `51 : Not sufficient funds`. */
const isOfIssuer = ({ reason }: AdyenEvent): boolean => responseCodeOf(reason ?? undefined) !== null;

const issuerWordsOf = (event: AdyenEvent): string | undefined =>
  event.data['refusalReasonRaw'] ?? (isOfIssuer(event) ? (event.reason ?? undefined) : undefined);

/** The reasons of a change that Adyen could not make. */
const MODIFICATION_REASONS: readonly (readonly [words: string, errorCode: DeclineCode])[] = [
  ['insufficient balance', 'service_decline'],
  ["hasn't been captured", 'unexpected_state'],
  ['already', 'unexpected_state'],
  ['expired', 'expired_authorization'],
];

/** Returns the meaning of a capture, refund or cancel that Adyen could not make. Nothing happened. */
export function modificationReasonOf({ reason }: AdyenEvent): Refusal {
  const words = plainOf(reason);
  const found = MODIFICATION_REASONS.find(([part]) => words.includes(part));
  return { kind: 'failed', errorCode: found?.[1] ?? 'service_decline' };
}

/** Returns the meaning of a change of the amount that failed. The issuer may refuse, as for an authorisation. */
export const adjustmentReasonOf = (event: AdyenEvent): Refusal =>
  plainOf(event.reason) in REFUSAL_NUMBERS || isOfIssuer(event)
    ? declineOf(event)
    : modificationReasonOf(event);

const plainOf = (reason: AdyenEvent['reason']): string => (reason ?? '').trim().toLowerCase();
