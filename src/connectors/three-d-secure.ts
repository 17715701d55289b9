/**
 * What an authentication of the buyer came to, for the provider to hand on to the card's scheme. A field is null where the
 * version has none or nothing was answered.
 */
export type ThreeDSecureData = {
  /** Of the protocol, such as 2.2.0 or 1.0.2. */
  readonly version: string;
  /** Electronic commerce indicator, one or two digits. */
  readonly eci: string | null;
  /** The proof of authentication; null: the buyer was not authenticated. */
  readonly cavv: string | null;
  /** The directory's word, one letter. */
  readonly directoryResponse: string | null;
  /** How the challenge ended, one letter; of version 2 null without a challenge. */
  readonly authenticationResponse: string | null;
  /** Version 2. */
  readonly directoryTransactionId: string | null;
  /** Version 1. */
  readonly xid: string | null;
  /** Version 1. */
  readonly cavvAlgorithm: string | null;
  /** The scheme that authenticated, where it was said. */
  readonly scheme: string | null;
};
