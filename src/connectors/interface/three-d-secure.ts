/**
 * The result of an authentication, for the provider to send to the card's scheme. A field is null if the
 * version lacks the field or the answer left the field out.
 */
export type ThreeDSecureData = {
  /** Protocol version, such as 2.2.0 or 1.0.2. */
  readonly version: string;
  /** Electronic commerce indicator, one or two digits. */
  readonly eci: string | null;
  /** Proof of authentication. Null if the buyer was not authenticated. */
  readonly cavv: string | null;
  /** Answer of the directory server, one letter. */
  readonly directoryResponse: string | null;
  /** Result of the challenge, one letter. In version 2, null without a challenge. */
  readonly authenticationResponse: string | null;
  /** Version 2 only. */
  readonly directoryTransactionId: string | null;
  /** Version 1 only. */
  readonly xid: string | null;
  /** Version 1 only. */
  readonly cavvAlgorithm: string | null;
  /** The scheme that authenticated. Null if the answer left the scheme out. */
  readonly scheme: string | null;
};

/**
 * The wish for an authentication by the provider:
 *
 * - `always`: the provider is asked to authenticate the buyer.
 * - `never`: the provider is asked not to.
 * - `automatic`: the provider's own rules decide.
 */
export type AuthenticationWish = 'always' | 'never' | 'automatic';

/** The browser of a buyer, with the values of EMV 3-D Secure. Values that only a script knows may be null. */
export type BrowserInfo = {
  readonly acceptHeader: string | null;
  readonly userAgent: string;
  readonly userDevice: 'desktop' | 'mobile';
  /** A BCP 47 language. */
  readonly language: string;
  readonly javascriptEnabled: boolean;
  readonly javaEnabled: boolean | null;
  /** Bits of each pixel. */
  readonly colorDepth: number | null;
  /** In pixels. */
  readonly screenHeight: number | null;
  readonly screenWidth: number | null;
  /** Minutes from the local time to UTC, so +300 is five hours behind. */
  readonly timeZoneOffset: number | null;
};
