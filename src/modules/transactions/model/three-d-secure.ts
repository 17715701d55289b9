import type { ThreeDSecureData } from '../../../connectors/three-d-secure.ts';
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

/** How the buyer of a payment was authenticated, as the transaction keeps it. */
export type ThreeDSecure = {
  /**
   * Who says so: a rule of the sandbox, one of its test cards, or the merchant, who had it done elsewhere. `none`: nobody
   * authenticates here, which is told as an authentication that failed technically.
   */
  readonly source: 'scenario' | 'test_card' | 'external' | 'none';
  /** Minor units of the transaction's currency. */
  readonly amount: number;
  readonly method: ThreeDSMethod | null;
  /** Null of what was done elsewhere. */
  readonly enrollment: Enrollment | null;
  /** Null while a challenge waits for the buyer, when the buyer has left it, and of what was done elsewhere. */
  readonly result: FinalResult | null;
  /** Null while a challenge waits for the buyer. */
  readonly status: ThreeDSStatus | null;
  /** How the challenge is to end; null: the buyer chooses. */
  readonly challengeResult: ChallengeResult | null;
  /** What the payment service asks for when nobody was authenticated, as it was set then. */
  readonly fallback: ThreeDSecureFallback;
  readonly data: ThreeDSecureData;
};

type Kept = ThreeDSecure | null;

/** Whether a challenge waits for the buyer. */
export const isChallenged = (kept: Kept): kept is ThreeDSecure =>
  kept !== null && kept.status === null && kept.source !== 'external';

/**
 * How a payment ends because of its authentication, before a provider is asked; null: it does not, and is authorised. Not to
 * be asked while a challenge waits.
 */
export function refusalOf(kept: Kept): FinalOutcome | null {
  if (kept === null || kept.source === 'external') return null;
  if (kept.status === 'cancelled') return ended('failed', 'incomplete_buyer_approval');
  switch (kept.result) {
    case 'n':
    case 'r':
      return ended('declined', 'failed_buyer_approval');
    case 'u':
    case 'timeout':
      return kept.fallback === 'stop' ? ended('declined', 'requires_buyer_authentication') : null;
    default:
      return null;
  }
}

const ended = (kind: 'declined' | 'failed', errorCode: string): FinalOutcome => ({
  kind,
  reference: null,
  errorCode,
  rawResponseCode: null,
  rawResponseDescription: null,
});

/** Whether a payment service takes a payment whose buyer was authenticated, or not, for an earlier one. */
export function isEnoughFor(
  kept: Kept,
  service: { readonly threeDSecureEnabled: boolean; readonly threeDSecureFallback: ThreeDSecureFallback },
): boolean {
  if (!service.threeDSecureEnabled || service.threeDSecureFallback === 'continue') return true;
  return kept === null || kept.source === 'external' || kept.status === 'complete';
}

/** What a provider is handed; null: nobody was authenticated, or nothing was answered. */
export const dataToHand = (kept: Kept): ThreeDSecureData | null =>
  kept !== null && kept.data.eci !== null ? kept.data : null;

/** As a transaction shows it. */
export type ThreeDSecureSummary = {
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

/** The summary of facts 1.11: data only from outside, or of a buyer who was authenticated or nearly (Y and A). Null: none. */
export function threeDSecureOf({
  threeDSecure: kept,
  threeDSecureAmount: amount,
}: {
  readonly threeDSecure: Kept;
  readonly threeDSecureAmount: number | null;
}): ThreeDSecureSummary | null {
  if (kept === null) return amount === null ? null : { ...NOT_AUTHENTICATED, amount };
  const { method, enrollment, status, source, data } = kept;
  return {
    amount: kept.amount,
    method,
    version: source === 'none' ? null : data.version,
    status,
    enrollment,
    eci: data.eci,
    responseData: source === 'external' || status === 'complete' ? data : null,
    errorData: errorOf(kept),
  };
}

function errorOf({ source, result, method }: ThreeDSecure): ThreeDSecureError | null {
  if (source === 'none') return NOBODY;
  return result === 'timeout' ? { ...TIMED_OUT, component: method === 'challenge' ? 'A' : 'D' } : null;
}

const NOT_AUTHENTICATED: ThreeDSecureSummary = {
  amount: null,
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

/** The data of an authentication that was done elsewhere, as a payment brings it. */
export type ExternalData =
  | { readonly dataV1: ThreeDSDataV1; readonly dataV2: null }
  | { readonly dataV1: null; readonly dataV2: ThreeDSDataV2 };
