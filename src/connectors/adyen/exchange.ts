import { z } from 'zod';
import {
  noReply,
  parseJson,
  REFUSED_BEFORE as BY_STATUS,
  type CallContext,
  type DeclineCode,
  type Outcome,
  type Unknown,
} from '../door.ts';
import { errorCodeOf } from './errors.ts';

/** A request to Adyen. The same key on every attempt makes Adyen act once, and repeat its first answer. */
export type AdyenRequest = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** The API key to use in place of the payment service's own. */
  readonly apiKey?: string;
  readonly key?: string;
  readonly body?: object;
  readonly replyBytesMax?: number;
  /** The outcome after a refusal of the request, if the refusal says nothing about the payment. */
  readonly afterRefusal?: Outcome;
};

/** An answer of Adyen, or the reason why there is none. */
export type Exchanged = { readonly status: number; readonly text: string } | { readonly unknown: Unknown };

const REPLY_BYTES_MAX = 256 * 1024;

/** Payments come in bursts, and a new connection costs more time than the call itself. */
const IDLE_CONNECTIONS = 64;

export type ExchangeContext = Pick<CallContext, 'credentials' | 'http' | 'deadlineMs'>;

/** Sends a request to Adyen. Never throws. */
export async function exchange(
  { credentials, http, deadlineMs }: ExchangeContext,
  { url, method = 'POST', apiKey, key, body, replyBytesMax = REPLY_BYTES_MAX }: AdyenRequest,
): Promise<Exchanged> {
  const answer = await http.send({
    ...{ method, url, deadlineMs, replyBytesMax },
    headers: {
      'x-api-key': apiKey ?? credentials['api_key'] ?? '',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    pool: `adyen:${URL.parse(url)?.host ?? ''}`,
    idleConnections: IDLE_CONNECTIONS,
    // Adyen does a request of one key once. A request without a key changes nothing.
    repeatable: true,
  });
  if ('failure' in answer) return { unknown: noReply(answer.failure).unknown };
  return { status: answer.reply.status, text: answer.reply.body };
}

/** Sends a request and maps the answer to an outcome. Errors of Adyen become outcomes here, the same for every verb. */
export async function outcomeOf(
  context: ExchangeContext,
  request: AdyenRequest,
  read: (answer: unknown) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const exchanged = await exchange(context, request);
  if ('unknown' in exchanged) return exchanged.unknown;
  const { status, text } = exchanged;
  if (SUCCESSES.has(status)) return read(parseJson(text));
  const outcome = outcomeOfError(status, parseJson(text));
  return outcome.kind === 'failed' ? (request.afterRefusal ?? outcome) : outcome;
}

/** 200 for a payment, 201 for a modification, and 202 for a payment that is decided later. */
const SUCCESSES: ReadonlySet<number> = new Set([200, 201, 202]);

const serviceError = z.object({
  errorCode: z.union([z.string(), z.int().transform(String)]).optional(),
  errorType: z.string().optional(),
  message: z.string().optional(),
  pspReference: z.string().optional().catch(undefined),
});

export type ServiceError = z.output<typeof serviceError>;

/** Reads Adyen's error. Null for another body. */
export const errorOf = (given: unknown): ServiceError | null => serviceError.safeParse(given).data ?? null;

/**
 * Maps an error to an outcome.
 *
 * - Any 5xx is `unknown`, also with `errorType: validation`.
 * - Only an explicit refusal of the request is `failed`.
 * - A refusal of the account or of its rights says nothing about an earlier request of the same key.
 */
export function outcomeOfError(status: number, given: unknown): Outcome {
  if (status >= 500) return { kind: 'unknown', cause: 'server_error' };
  const error = errorOf(given);
  const errorCode = BY_STATUS[status] ?? reasonOf(status, error);
  if (errorCode !== null && REFUSED_BEFORE.has(errorCode))
    return { kind: 'unknown', cause: 'server_error', sent: false, refusedAs: errorCode };
  if (errorCode === null)
    return { kind: 'unknown', cause: error && REFUSALS.has(status) ? 'server_error' : 'unreadable' };
  return {
    ...{ kind: 'failed', reference: error?.pspReference ?? null, errorCode },
    rawResponseCode: error?.errorCode ?? String(status),
    rawResponseDescription: error?.message ?? null,
  };
}

const reasonOf = (status: number, error: ServiceError | null): DeclineCode | null =>
  error && REFUSALS.has(status) ? errorCodeOf(error.errorCode, error.errorType) : null;

/** The refusals before Adyen reads a payment. They end when somebody mends the payment service, or with time. */
const REFUSED_BEFORE: ReadonlySet<DeclineCode> = new Set([
  'insufficient_service_permissions',
  'invalid_service_configuration',
  'invalid_service_credentials',
  'service_rate_limit',
]);

const REFUSALS: ReadonlySet<number> = new Set([400, 422]);

/**
 * The outcome of a request without an address, because a field of the payment service is missing. An earlier request may have
 * left before the field changed.
 */
export const NOT_SENT: Unknown = { kind: 'unknown', cause: 'connection', sent: false };
