import type { UnknownCause } from './outcome.ts';

/**
 * A provider's answer about the credentials of a payment service.
 *
 * - `refused` needs the provider's explicit refusal. `reason` holds the provider's words.
 * - `unknown` says nothing about the credentials.
 */
export type Verification =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };
