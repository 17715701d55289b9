import type { UnknownCause } from './outcome.ts';

/**
 * Ends a buyer's mandate. `key` is one per revocation, the same on every attempt; `mandate` is the provider's own name of it,
 * in memory for one call.
 */
export type RevocationRequest = { readonly key: string; readonly mandate: string };

/**
 * What a provider said of a revocation. A mandate that the provider does not have (any more) is `revoked`; `refused` is its
 * explicit no; `unknown` is everything else, and the mandate may be in force.
 */
export type Revocation =
  | { readonly kind: 'revoked' }
  | { readonly kind: 'refused'; readonly errorCode: string }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };
