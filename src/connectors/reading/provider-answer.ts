import { parseJson } from '../../kernel/json.ts';
import type { HttpFailure, HttpReply } from '../../platform/http/reply.ts';
import type { DeclineCode } from '../codes/decline-codes.ts';
import type { DisputeAnswer } from '../interface/dispute-responses.ts';
import type { Unknown, UnknownCause } from '../interface/outcome.ts';
import type { Verification } from '../interface/verification.ts';

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

/** The statuses of an error about the request itself. A clash of two requests of one key has 409. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 422]);

type Errors<ProviderError> = {
  /** Reads the error of a body. Null for a body without one. */
  readonly errorIn: (body: unknown) => ProviderError | null;
  /** The error of a refusal without a body. Absent if the provider gives each refusal a body. */
  readonly withoutBody?: ProviderError;
};

/** Sorts an answer by its status, before anybody reads its words. */
export function answerByStatus<ProviderError>(
  { status, body }: Pick<HttpReply, 'status' | 'body'>,
  { errorIn, withoutBody }: Errors<ProviderError>,
): ProviderAnswer<ProviderError> {
  const parsed = parseJson(body);
  if (status >= 200 && status < 300)
    return parsed === null && body !== ''
      ? noAnswer({ cause: 'unreadable' })
      : { kind: 'answered', body: parsed };
  const error = errorIn(parsed);
  const before = REFUSED_BEFORE[status];
  if (before) return notSent('server_error', before, error);
  if (!REFUSALS.has(status)) return noAnswer({ cause: 'server_error' });
  // The page of a proxy is no refusal.
  const refusal = error ?? (body.trim() === '' ? (withoutBody ?? null) : null);
  return refusal === null ? noAnswer({ cause: 'unreadable' }) : { kind: 'refused', status, error: refusal };
}

type AnyAnswer =
  | { readonly kind: 'answered' | 'refused' }
  | { readonly kind: 'unknown'; readonly unknown: Unknown };

/**
 * Returns the unknown outcome of a read that brought nothing. A read says nothing of a request that moves money, so only the cause
 * counts.
 */
export const unreadOf = (answer: AnyAnswer): Unknown => ({
  kind: 'unknown',
  cause:
    answer.kind === 'unknown'
      ? answer.unknown.cause
      : answer.kind === 'refused'
        ? 'server_error'
        : 'unreadable',
});

/**
 * Judges the credentials by the answer to a read. Only an explicit refusal of the credentials is one, and `reasons` are the words
 * about it. A limit of requests says nothing about the credentials.
 */
export function verificationOf(
  answer: AnyAnswer,
  reasons: Readonly<Partial<Record<DeclineCode, string>>>,
): Verification {
  if (answer.kind === 'answered') return { kind: 'accepted' };
  const refusedAs = answer.kind === 'unknown' ? answer.unknown.refusedAs : undefined;
  const reason = refusedAs && reasons[refusedAs];
  return reason === undefined ? unreadOf(answer) : { kind: 'refused', reason };
}

/** Maps the answer to a response that a dispute did not take. The function `codeOf` returns the provider's word for a refusal. */
export const responseNotTaken = <ProviderError>(
  answer: ProviderAnswer<ProviderError>,
  codeOf: (refused: { readonly status: number; readonly error: ProviderError }) => string,
): DisputeAnswer =>
  answer.kind === 'refused' ? { kind: 'refused', errorCode: codeOf(answer) } : unreadOf(answer);

/** Counts the time limit of a call down, in whole milliseconds. The requests of the call share the limit. */
export function countDown(deadlineMs: number): () => number {
  const startedAt = performance.now();
  return () => Math.floor(deadlineMs - (performance.now() - startedAt));
}
