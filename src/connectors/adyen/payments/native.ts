import { z } from 'zod';
import { ok, refuse, type Impossible, type Result, type AuthorizeRequest } from '../../door.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import type { AdyenPayment } from '../request-shapes.ts';

/** The client of a buyer in which Adyen's software authenticates. */
export type NativeClient = Required<Pick<AdyenPayment, 'channel'>> & Pick<AdyenPayment, 'origin'>;

/** The most characters of a page's origin at Adyen. */
export const ORIGIN_MAX = 80;

type Request = Pick<AuthorizeRequest, 'integrationClient' | 'options'>;

/**
 * Returns the client that authenticates with Adyen's software. Null if the buyer has no such client. The merchant says so with the
 * connection option `nativeThreeDSecure`. A page needs its origin in `window_origin` too, and is refused without one.
 */
export function nativeClientOf({
  integrationClient,
  options,
}: Request): Result<NativeClient | null, Impossible> {
  if (integrationClient === null || options?.['nativeThreeDSecure'] !== true) return ok(null);
  if (integrationClient !== 'web') return ok({ channel: CHANNELS[integrationClient] });
  const origin = originOf(options['window_origin']);
  return origin === null ? refuse(IMPOSSIBLE.windowOrigin) : ok({ channel: 'Web', origin });
}

const CHANNELS = { ios: 'iOS', android: 'Android' } as const;

/** Returns the text if it is the origin of a page. A page of the developer's own machine may lack TLS. */
function originOf(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > ORIGIN_MAX) return null;
  const url = URL.parse(given);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost');
  return isSafe && url.origin === given ? given : null;
}

const step = z.object({
  resultCode: z.enum(['IdentifyShopper', 'ChallengeShopper']),
  pspReference: z.string().min(1).optional().catch(undefined),
  action: z
    .looseObject({ type: z.literal('threeDS2') })
    .optional()
    .catch(undefined),
});

/** A step of a native authentication. `action` is the text for Adyen's software. Null if Adyen gave none that fits. */
export type NativeStep = {
  readonly resultCode: 'IdentifyShopper' | 'ChallengeShopper';
  readonly reference: string | null;
  readonly action: string | null;
};

/** Reads an answer that asks the client for a step. Null for any other answer. */
export function nativeStepOf(answer: unknown): NativeStep | null {
  const { success, data } = step.safeParse(answer);
  if (!success) return null;
  const { resultCode, pspReference: reference = null, action } = data;
  return { resultCode, reference, action: action ? JSON.stringify(action) : null };
}

/** The results of Adyen's software in a client, by their names in `details`. */
const RESULTS = ['threeDSResult', 'threeds2.fingerprint', 'threeds2.challengeResult'] as const;

/** The results of a client, in Adyen's format. */
export type NativeDetails = {
  readonly details: Readonly<Partial<Record<(typeof RESULTS)[number], string>>>;
  readonly paymentData?: string;
};

/**
 * Maps the results of a client. Null without one. Only the results without `threeDSResult` need the data of the payment, which the
 * client repeats from the action.
 */
export function nativeDetailsOf(returned: Readonly<Record<string, string>>): NativeDetails | null {
  const named = RESULTS.flatMap((name) => (returned[name] ? [[name, returned[name]] as const] : []));
  if (named.length === 0) return null;
  const { threeDSResult, paymentData } = returned;
  return {
    details: Object.fromEntries(named),
    ...(!threeDSResult && paymentData && { paymentData }),
  };
}
