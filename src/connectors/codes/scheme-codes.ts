import { isRetriableDecline, listedCode, type DeclineCode, type DeclineKind } from './decline-codes.ts';
import type { ProviderWords } from '../interface/outcome.ts';

/** The codes of the scheme or the issuer in a provider's answer. */
export type SchemeCodes = Pick<ProviderWords, 'merchantAdviceCode' | 'networkResponseCode'>;

/** Keeps each code in its own form or sets the code to null. A code that was not reported stays absent. */
export const cleanSchemeCodes = ({
  merchantAdviceCode: advice,
  networkResponseCode: response,
}: SchemeCodes): SchemeCodes => ({
  ...(advice !== undefined && { merchantAdviceCode: matching(advice, /^\d{2}$/) }),
  ...(response !== undefined && { networkResponseCode: matching(response, /^[0-9A-Z]{2,4}$/) }),
});

const matching = (text: string | null, form: RegExp): string | null =>
  text !== null && form.test(text) ? text : null;

/** A refusal: its normalised reason, and the way in which the operation ended. */
type Refused = { readonly kind: DeclineKind; readonly errorCode: DeclineCode };

/**
 * Decides a refusal by the provider's code and the scheme's codes.
 *
 * - Replaces an error code that is not listed.
 * - Takes an advice against a retry for `refused_transaction`, which no other service gets.
 * - Takes a response code after which the scheme forbids a retry for `refused_transaction` too. A decline that no other service
 *   gets anyway keeps its reason.
 * - Takes a duplicate for a decline. A failed payment goes on to another service, where a duplicate would be paid twice.
 */
export function refusedBy(
  { merchantAdviceCode, networkResponseCode }: SchemeCodes,
  { kind, errorCode: given }: { readonly kind: DeclineKind; readonly errorCode: string },
): Refused {
  const listed = listedCode(given, kind);
  const goesOn = kind === 'failed' || isRetriableDecline(listed);
  const isForbidden =
    FORBIDDING_ADVICE.has(merchantAdviceCode ?? '') ||
    (goesOn && FORBIDDING_RESPONSES.has(networkResponseCode ?? ''));
  const errorCode = isForbidden ? 'refused_transaction' : listed;
  return { kind: ENDS_PAYMENT.has(errorCode) ? 'declined' : kind, errorCode };
}

/** The advice codes after which the scheme forbids a retry. */
const FORBIDDING_ADVICE: ReadonlySet<string> = new Set(['03', '21']);

/**
 * The response codes after which the issuer never approves, at no acquirer.
 *
 * - 04, 07, 41, 43: the card must be picked up, is lost or is stolen.
 * - 15, 46: no such issuer, or a closed account.
 * - 57: the cardholder may not make such a payment.
 * - R0, R1, R3: the cardholder stopped one payment or all payments.
 *
 * The codes 12 and 14 are left out. A faulty request of one provider causes these codes too.
 */
const FORBIDDING_RESPONSES: ReadonlySet<string> = new Set([
  ...['04', '07', '15', '41', '43', '46', '57'],
  ...['R0', 'R1', 'R3'],
]);

/** The codes that are declines from every provider. */
const ENDS_PAYMENT: ReadonlySet<string> = new Set(['duplicate_transaction', 'refused_transaction']);
