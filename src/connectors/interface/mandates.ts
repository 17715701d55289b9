import type { UnknownCause } from './outcome.ts';

/**
 * A request to end a buyer's mandate.
 *
 * - `key` is one per revocation and the same on every attempt.
 * - `mandate` is the provider's own name of the mandate. Held in memory for one call.
 */
export type RevocationRequest = { readonly key: string; readonly mandate: string };

/**
 * A provider's answer to a revocation.
 *
 * - `revoked`: the mandate ended, or the provider does not have the mandate.
 * - `refused`: the provider refused explicitly.
 * - `unknown`: everything else. The mandate may still be in force.
 */
export type Revocation =
  | { readonly kind: 'revoked' }
  | { readonly kind: 'refused'; readonly errorCode: string }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };
