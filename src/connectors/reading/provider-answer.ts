import type { HttpFailure } from '../../platform/http/reply.ts';
import type { DeclineCode } from '../codes/decline-codes.ts';
import type { Unknown, UnknownCause } from '../interface/outcome.ts';

/** The body of a success, an explicit error about the request, or nothing certain. */
export type ProviderAnswer<ProviderError> =
  | {
      readonly kind: 'answered';
      /** Null for a success without a body. */
      readonly body: unknown;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly error: ProviderError }
  | {
      readonly kind: 'unknown';
      readonly unknown: Unknown;
      /** The provider's words for a request that was refused before any work. */
      readonly error?: ProviderError | null;
    };

type NoAnswer<ProviderError> = Extract<ProviderAnswer<ProviderError>, { readonly kind: 'unknown' }>;

/** Returns the answer for a request that was not sent, or that the provider refused before any work. */
export const notSent = <ProviderError = never>(
  cause: UnknownCause,
  refusedAs?: DeclineCode,
  error: ProviderError | null = null,
): NoAnswer<ProviderError> => ({
  kind: 'unknown',
  unknown: { kind: 'unknown', cause, sent: false, ...(refusedAs && { refusedAs }) },
  error,
});

/** Returns the answer that says nothing certain. */
export const noAnswer = (given: Omit<Unknown, 'kind'>): NoAnswer<never> => ({
  kind: 'unknown',
  unknown: { kind: 'unknown', ...given },
});

/** Returns the answer for a request without a reply. `sent: false` only if nothing can have left. */
export const noReply = ({ kind, sent }: Pick<HttpFailure, 'kind' | 'sent'>): NoAnswer<never> =>
  noAnswer({ cause: kind === 'timeout' ? 'timeout' : 'connection', ...(!sent && { sent }) });

/**
 * The statuses with which a provider refuses a request before reading it. So they say nothing about an earlier request of the same
 * key.
 */
export const REFUSED_BEFORE: Readonly<Record<number, DeclineCode | undefined>> = {
  401: 'invalid_service_credentials',
  403: 'insufficient_service_permissions',
  429: 'service_rate_limit',
};

/** Counts the time limit of a call down, in whole milliseconds. The requests of the call share the limit. */
export function countDown(deadlineMs: number): () => number {
  const startedAt = performance.now();
  return () => Math.floor(deadlineMs - (performance.now() - startedAt));
}
