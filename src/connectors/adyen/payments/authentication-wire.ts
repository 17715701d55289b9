import type { MerchantProfile, AuthorizeRequest, ThreeDSecureData } from '../../door.ts';
import { browserToWire } from './buyer-wire.ts';
import { ORIGIN_MAX, type NativeClient } from './native.ts';
import type { AdyenPayment } from '../request-shapes.ts';

type Request = Pick<
  AuthorizeRequest,
  | 'threeDSecure'
  | 'authentication'
  | 'merchantProfile'
  | 'networkToken'
  | 'browserInfo'
  | 'returnUrl'
  | 'series'
>;

/**
 * Maps the authentication of a card's holder.
 *
 * - A finished authentication goes along, and Adyen makes no other.
 * - A buyer with a native client stays there. Adyen may still lead such a buyer to its page.
 * - Another buyer who can come back may be sent to Adyen's page. The wish `always` asks for an authentication.
 * - Nobody else can be authenticated, and nobody against the wish.
 */
export function authenticationToWire(request: Request, native: NativeClient | null): Partial<AdyenPayment> {
  const { threeDSecure, authentication, merchantProfile, browserInfo, returnUrl, series } = request;
  const mpiData = proofOf(request);
  const isAbsent = series.merchantInitiated || series.source === 'moto' || returnUrl === null;
  return {
    ...(mpiData && { mpiData }),
    ...(browserInfo && { browserInfo: browserToWire(browserInfo), channel: 'Web' as const }),
    ...(threeDSecure || isAbsent || authentication === 'never'
      ? { authenticationData: { attemptAuthentication: 'never' as const } }
      : {
          authenticationData: {
            threeDSRequestData: { nativeThreeDS: native ? ('preferred' as const) : ('disabled' as const) },
            ...(authentication === 'always' && { attemptAuthentication: 'always' as const }),
          },
          ...(merchantProfile && { threeDS2RequestData: merchantToWire(merchantProfile) }),
          ...(native ?? originOf(returnUrl)),
        }),
  };
}

/** Maps the merchant at the card's scheme. Adyen has no place for the country of the merchant. */
const merchantToWire = (merchant: MerchantProfile): NonNullable<AdyenPayment['threeDS2RequestData']> => ({
  acquirerBIN: merchant.merchantAcquirerBin,
  acquirerMerchantID: merchant.merchantAcquirerId,
  mcc: merchant.merchantCategoryCode,
  merchantName: merchant.merchantName,
  threeDSRequestorURL: merchant.merchantUrl,
});

function originOf(url: string): Pick<AdyenPayment, 'origin'> {
  const origin = URL.parse(url)?.origin ?? '';
  return origin.length > 0 && origin.length <= ORIGIN_MAX ? { origin } : {};
}

type Proof = NonNullable<AdyenPayment['mpiData']>;

/** Returns the proofs of an authentication and of a network token. Null without both. */
function proofOf({ threeDSecure, networkToken }: Request): Proof | null {
  const cryptogram = networkToken?.cryptogram ?? null;
  const eci = threeDSecure?.eci ?? (cryptogram === null ? null : (networkToken?.eci ?? null));
  if (!threeDSecure && cryptogram === null) return null;
  return {
    ...(threeDSecure && authenticatedToWire(threeDSecure)),
    ...(eci !== null && { eci: eci.padStart(2, '0') }),
    ...(cryptogram !== null && { tokenAuthenticationVerificationValue: cryptogram }),
  };
}

const DIRECTORY_RESPONSES = ['A', 'C', 'D', 'I', 'N', 'R', 'U', 'Y'] as const;
const AUTHENTICATION_RESPONSES = ['A', 'N', 'U', 'Y'] as const;

const authenticatedToWire = (data: ThreeDSecureData): Proof => ({
  threeDSVersion: data.version,
  ...(data.cavv !== null && { cavv: data.cavv }),
  ...(data.cavvAlgorithm !== null && { cavvAlgorithm: data.cavvAlgorithm }),
  ...(data.directoryTransactionId !== null && { dsTransID: data.directoryTransactionId }),
  ...(data.xid !== null && { xid: data.xid }),
  ...wordOf('directoryResponse', DIRECTORY_RESPONSES, data.directoryResponse),
  ...wordOf('authenticationResponse', AUTHENTICATION_RESPONSES, data.authenticationResponse),
});

/** Returns a field whose word Adyen knows. No field for another word, because Adyen refuses the whole request then. */
function wordOf<Field extends string, Word extends string>(
  field: Field,
  words: readonly Word[],
  given: string | null,
): Partial<Record<Field, Word>> {
  const word = words.find((each) => each === given);
  // A computed name has the type string.
  return word === undefined ? {} : ({ [field]: word } as Record<Field, Word>);
}
