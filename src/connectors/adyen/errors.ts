import { DECLINE_CODES, type DeclineCode } from '../door.ts';
import { BY_CODE, BY_ISSUER_CODE, codeOfWords, type Refusal } from './refusals.ts';

export type { Refusal } from './refusals.ts';

const declined = (errorCode: DeclineCode): Refusal => ({ kind: 'declined', errorCode });
const failed = (errorCode: DeclineCode): Refusal => ({ kind: 'failed', errorCode });

/** A refusal as an answer or a webhook tells it. */
export type Refused = {
  /** `refusalReasonCode`. A webhook has none. */
  readonly code: string | undefined;
  /** Adyen's words of the reason. */
  readonly words: string | null | undefined;
  /** The issuer's own code and words. */
  readonly issuerWords: string | undefined;
};

/** The codes with which the result `Error` is certain. After any other code, Adyen may have sent the payment to the acquirer. */
const CERTAIN: ReadonlySet<string> = new Set(['4', '7', '8', '21', '42']);

/**
 * Returns the meaning of the result `Refused`. A refusal without a number of the table has its words alone, or the issuer's
 * words. So an answer with a new number and its webhook mean the same.
 */
export function refusalOf({ code: given = '', words, issuerWords }: Refused): Refusal {
  const listed = BY_CODE.has(given) ? given : codeOfWords(words);
  const code = listed ?? (responseCodeOf(issuerWords) === null ? undefined : '2');
  const refusal = BY_CODE.get(code ?? '') ?? declined('other_decline');
  const refined = code === '2' ? BY_ISSUER_CODE[responseCodeOf(issuerWords) ?? ''] : undefined;
  return refined === undefined ? refusal : { kind: DECLINE_CODES[refined].kind, errorCode: refined };
}

/** Returns the meaning of the result `Error`. Null when the outcome is not certain. */
export const errorResultOf = (code: string | undefined): Refusal | null =>
  code !== undefined && CERTAIN.has(code)
    ? failed(refusalOf({ code, words: null, issuerWords: undefined }).errorCode)
    : null;

/** Returns the meaning of the result `Cancelled`. */
export const cancellationOf = (code: string | undefined): Refusal =>
  failed(code === '15' ? 'canceled' : 'cancelled_buyer_approval');

/** Reads the code before the words of an issuer, such as `05 : Do not honor`. Null without one. Letters need the colon. */
export const responseCodeOf = (words: string | undefined): string | null =>
  /^\s*(\d{2}\b|[0-9A-Z]{2,4}(?=\s*:))/.exec(words ?? '')?.[1] ?? null;

/** The errors of a request that Adyen refuses, by `errorCode`. No payment came into being. */
const BY_ERROR_CODE: Readonly<Record<string, DeclineCode>> = {
  ...sameFor(['0', '000'], 'service_error'),
  ...sameFor(['10', '010'], 'insufficient_service_permissions'),
  ...sameFor(['100', '137'], 'invalid_amount'),
  '101': 'invalid_payment_method',
  '103': 'incorrect_cvv',
  ...sameFor(['104', '131', '132', '133', '134', '135'], 'invalid_billing_address'),
  ...sameFor(['129', '140', '141'], 'incorrect_expiry_date'),
  '130': 'invalid_service_request',
  '138': 'unsupported_currency',
  ...sameFor(['167', '906'], 'unknown_service_resource'),
  ...sameFor(['172', '174'], 'invalid_payment_method'),
  '177': 'invalid_service_request',
  '702': 'invalid_service_request',
  ...sameFor(['800', '803'], 'unknown_payment_method'),
  '901': 'invalid_service_configuration',
  '905': 'unsupported_payment_method',
};

/** The error of a repeat whose first request is still under way. The error says nothing about the payment. */
const STILL_RUNNING = '704';

/** The errors without a code of their own, by `errorType`. The type `internal` says nothing about the payment. */
const BY_ERROR_TYPE: Readonly<Record<string, DeclineCode>> = {
  validation: 'invalid_service_request',
  configuration: 'invalid_service_configuration',
  security: 'insufficient_service_permissions',
};

/** Returns the reason of a refused request, of HTTP status 400 or 422. Null when the error says nothing certain. */
export function errorCodeOf(code: string | undefined, type: string | undefined): DeclineCode | null {
  if (code === STILL_RUNNING || type === 'internal') return null;
  // Some codes have a variant, such as 905_3.
  const [plain = ''] = (code ?? '').split('_');
  return BY_ERROR_CODE[plain] ?? BY_ERROR_TYPE[type ?? ''] ?? null;
}

function sameFor<Value>(codes: readonly string[], value: Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(codes.map((code) => [code, value]));
}
