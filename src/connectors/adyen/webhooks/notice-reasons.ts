import type { DeclineCode, SchemeCodes } from '../../door.ts';
import { refusalOf, responseCodeOf, type Refusal } from '../errors.ts';
import { codeOfWords } from '../refusals.ts';
import { adviceOf } from '../payments/checks.ts';
import type { AdyenEvent } from './notification.ts';

/** Returns the meaning of a refused authorisation. A webhook tells the words of the refusal, or the issuer's own. */
export const declineOf = (event: AdyenEvent): Refusal =>
  refusalOf({ code: undefined, words: event.reason, issuerWords: issuerWordsOf(event) });

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
  ['too old to be refunded', 'refund_period_expired'],
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
  codeOfWords(event.reason) !== undefined || isOfIssuer(event)
    ? declineOf(event)
    : modificationReasonOf(event);

const plainOf = (reason: AdyenEvent['reason']): string => (reason ?? '').trim().toLowerCase();
