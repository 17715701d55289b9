import type { DeclineCode } from '../../../connectors/codes/decline-codes.ts';
import type { ThreeDSecureData } from '../../../connectors/interface/three-d-secure.ts';
import type { ThreeDSecureFallback } from '../../payment-services/index.ts';
import type {
  ChallengeResult,
  Enrollment,
  FinalResult,
  ThreeDSDataV2,
  ThreeDSDataV1,
  ThreeDSMethod,
  ThreeDSStatus,
} from '../../three-ds/index.ts';
import type { FinalOutcome } from './outcome.ts';

export const THREE_D_SECURE_REQUESTS = ['always', 'never', 'automatic'] as const;

/**
 * The wish of a payment for an authentication of its buyer.
 *
 * - `always`: only services with 3DS are asked. A payment without an authenticated buyer is declined.
 * - `never`: the buyer is not authenticated.
 * - `automatic`: the settings of the payment service decide.
 */
export type ThreeDSecureRequest = (typeof THREE_D_SECURE_REQUESTS)[number];

/** The authentication of a payment's buyer, as stored with the transaction. */
export type ThreeDSecure = {
  /**
   * The source of the outcome:
   *
   * - `scenario`: a rule of the sandbox.
   * - `test_card`: a test card of the sandbox.
   * - `request`: the payment asked for it, so the sandbox challenges any card.
   * - `external`: the merchant authenticated the buyer elsewhere.
   * - `none`: no service authenticates here, so the outcome is a technical failure.
   */
  readonly source: 'scenario' | 'test_card' | 'request' | 'external' | 'none';
  /** Minor units of the transaction's currency. */
  readonly amount: number;
  readonly method: ThreeDSMethod | null;
  /** Null for an authentication elsewhere. */
  readonly enrollment: Enrollment | null;
  /** Null during a challenge, after an abandoned challenge, and for an authentication elsewhere. */
  readonly result: FinalResult | null;
  /** Null during a challenge. */
  readonly status: ThreeDSStatus | null;
  /** The planned end of the challenge. Null when the buyer chooses. */
  readonly challengeResult: ChallengeResult | null;
  /** The payment service's setting for buyers without authentication, as it was at that time. */
  readonly fallback: ThreeDSecureFallback;
  readonly data: ThreeDSecureData;
};

type Authentication = ThreeDSecure | null;

/** True when a challenge waits for the buyer. */
export const isChallenged = (authentication: Authentication): authentication is ThreeDSecure =>
  authentication !== null && authentication.status === null && authentication.source !== 'external';

/**
 * Returns the outcome with which the authentication ends a payment before any call of a provider. Null when the payment
 * goes on to its authorisation. Must not be called during a challenge.
 */
export function refusalOf(authentication: Authentication): FinalOutcome | null {
  if (authentication === null || authentication.source === 'external') return null;
  if (authentication.status === 'cancelled') return ended('failed', 'incomplete_buyer_approval');
  switch (authentication.result) {
    case 'n':
    case 'r':
      return ended('declined', 'failed_buyer_approval');
    case 'u':
    case 'timeout':
      return authentication.fallback === 'stop' ? ended('declined', 'requires_buyer_authentication') : null;
    default:
      return null;
  }
}

const ended = (kind: 'declined' | 'failed', errorCode: DeclineCode): FinalOutcome => ({
  kind,
  reference: null,
  errorCode,
  rawResponseCode: null,
  rawResponseDescription: null,
});

/** True when a payment service accepts the authentication result that an earlier service got. */
export function isEnoughFor(
  authentication: Authentication,
  service: { readonly threeDSecureEnabled: boolean; readonly threeDSecureFallback: ThreeDSecureFallback },
): boolean {
  if (!service.threeDSecureEnabled || service.threeDSecureFallback === 'continue') return true;
  return (
    authentication === null || authentication.source === 'external' || authentication.status === 'complete'
  );
}

/** Returns the data for a provider. Null when no buyer was authenticated, or the authentication returned nothing. */
export const dataToHand = (authentication: Authentication): ThreeDSecureData | null =>
  authentication !== null && authentication.data.eci !== null ? authentication.data : null;

/** The authentication as a transaction shows it. */
export type ThreeDSecureSummary = {
  readonly request: ThreeDSecureRequest;
  readonly amount: number | null;
  readonly method: ThreeDSMethod | null;
  readonly version: string | null;
  readonly status: ThreeDSStatus | null;
  readonly enrollment: Enrollment | null;
  readonly eci: string | null;
  readonly responseData: ThreeDSecureData | null;
  readonly errorData: ThreeDSecureError | null;
};

type ThreeDSecureError = Readonly<Record<'code' | 'description' | 'detail' | 'component', string>>;

/**
 * Summarises an authentication. Shows the data of an outside authentication, or of a buyer with result Y
 * or A. Null without authentication and without a wish for or against it.
 */
export function threeDSecureOf({
  threeDSecure: authentication,
  threeDSecureAmount: amount,
  // Answers that were stored before this column have no such field.
  threeDSecureRequest: request = 'automatic',
}: {
  readonly threeDSecure: Authentication;
  readonly threeDSecureAmount: number | null;
  readonly threeDSecureRequest?: ThreeDSecureRequest;
}): ThreeDSecureSummary | null {
  if (authentication === null)
    return amount === null && request === 'automatic' ? null : { ...NOT_AUTHENTICATED, request, amount };
  const { method, enrollment, status, source, data } = authentication;
  return {
    request,
    amount: authentication.amount,
    method,
    version: source === 'none' ? null : data.version,
    status,
    enrollment,
    eci: data.eci,
    responseData: source === 'external' || status === 'complete' ? data : null,
    errorData: errorOf(authentication),
  };
}

function errorOf({ source, result, method }: ThreeDSecure): ThreeDSecureError | null {
  if (source === 'none') return NOBODY;
  return result === 'timeout' ? { ...TIMED_OUT, component: method === 'challenge' ? 'A' : 'D' } : null;
}

const NOT_AUTHENTICATED: Omit<ThreeDSecureSummary, 'request' | 'amount'> = {
  method: null,
  version: null,
  status: null,
  enrollment: null,
  eci: null,
  responseData: null,
  errorData: null,
};

/** EMV 3-D Secure's own codes and words. */
const TIMED_OUT = {
  code: '402',
  description: 'Transaction timed out',
  detail: 'No answer came in time.',
  component: 'D',
};
const NOBODY: ThreeDSecureError = {
  code: '404',
  description: 'Permanent system failure',
  detail: 'This installation cannot authenticate the buyer.',
  component: 'S',
};

/** The data of an authentication elsewhere, as a payment brings it. */
export type ExternalData =
  | { readonly dataV1: ThreeDSDataV1; readonly dataV2: null }
  | { readonly dataV1: null; readonly dataV2: ThreeDSDataV2 };
