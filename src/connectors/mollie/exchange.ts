import type { z } from 'zod';
import { parseJson, type CallContext, type DeclineCode, type Unknown, type UnknownCause } from '../door.ts';
import { errorAnswer, type MollieError } from './answers.ts';

/** Returns Mollie's address. The key tells test from live. */
export const mollieHost = (): string => 'https://api.mollie.com';

/** Mollie's answer: a success, an explicit error about the request, or nothing certain. */
export type Answer =
  /** The body is null for a success without one. */
  | { readonly kind: 'answered'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly error: MollieError }
  | {
      readonly kind: 'unknown';
      readonly unknown: Unknown;
      /** True for 409: an equal request is under way, or came a moment before. */
      readonly isConflict?: boolean;
      /** The error of a 400 that names no field: the key has other parameters, or Mollie cannot read the request. */
      readonly clash?: MollieError;
    };

/** The calls of one operation. All calls share the time limit of the operation. */
export type Api = {
  readonly environment: CallContext['environment'];
  /** Reads an object or a list. `path` has its query. */
  get(path: string): Promise<Answer>;
  /** Changes something, once for each key. A null body sends none. */
  post(path: string, body: object | null, key: string): Promise<Answer>;
  /** Deletes or cancels something. Mollie logs the key, and ignores it otherwise: a second time is refused. */
  delete(path: string, key: string): Promise<Answer>;
};

type Sent = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object | null;
  readonly key?: string;
};

/** Opens the calls of one operation. A key that is not of the mode is refused before the call. */
export function openApi(context: CallContext, host: string): Api {
  const startedAt = performance.now();
  const call = async (sent: Sent): Promise<Answer> => {
    if (!isOfEnvironment(context)) return notSent('server_error', 'invalid_service_credentials');
    const deadlineMs = Math.floor(context.deadlineMs - (performance.now() - startedAt));
    return deadlineMs < 1 ? notSent('timeout') : exchange({ ...context, deadlineMs }, host, sent);
  };
  return {
    environment: context.environment,
    get: (path) => call({ method: 'GET', path }),
    post: (path, body, key) => call({ method: 'POST', path, body, key }),
    delete: (path, key) => call({ method: 'DELETE', path, key }),
  };
}

/** True if the key says that it is of the mode. Every other key, such as that of an organisation, may move money anywhere. */
export const isOfEnvironment = ({
  credentials,
  environment,
}: Pick<CallContext, 'credentials' | 'environment'>): boolean =>
  (credentials['api_key'] ?? '').startsWith(environment === 'production' ? 'live_' : 'test_');

/** A page of 250 payments is the largest answer. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;

/** Payments come in bursts, and a new connection costs more time than many calls. */
const IDLE_CONNECTIONS = 64;

type Context = Pick<CallContext, 'http' | 'credentials' | 'deadlineMs'>;

async function exchange(
  { http, credentials, deadlineMs }: Context,
  host: string,
  { method, path, body, key }: Sent,
): Promise<Answer> {
  const answer = await http.send({
    ...{ method, url: `${host}${path}`, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      authorization: `Bearer ${credentials['api_key'] ?? ''}`,
      accept: 'application/hal+json',
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    pool: `mollie:${URL.parse(host)?.host ?? ''}`,
    idleConnections: IDLE_CONNECTIONS,
    // Mollie does a POST of one key once. A read changes nothing, and neither does a second deletion.
    repeatable: true,
  });
  if (!('failure' in answer)) return answerOf(answer.reply, method);
  const { kind, sent } = answer.failure;
  const cause = kind === 'timeout' ? 'timeout' : 'connection';
  return { kind: 'unknown', unknown: { kind: 'unknown', cause, ...(!sent && { sent }) } };
}

type Reply = { readonly status: number; readonly body: string };

/** Sorts an answer by its status. Mollie's words have no code, so nobody reads them. */
export function answerOf({ status, body }: Reply, method: Sent['method']): Answer {
  const parsed = parseJson(body);
  if (status >= 200 && status < 300)
    return parsed === null && body !== '' ? unknown('unreadable') : { kind: 'answered', body: parsed };
  const before = REFUSED_BEFORE[status];
  if (before) return notSent('server_error', before);
  if (status === 409) return { ...unknown('server_error'), isConflict: true };
  const error = errorAnswer.safeParse(parsed).data ?? null;
  // Mollie refuses a key with other parameters so. An earlier request has the key.
  if (status === 400 && method === 'POST' && !error?.field)
    return { ...unknown('server_error', { arrived: true }), ...(error && { clash: error }) };
  if (!REFUSALS.has(status)) return unknown('server_error');
  return error === null ? unknown('unreadable') : { kind: 'refused', error };
}

/** Mollie refuses these before it reads the request. So they say nothing about an earlier request of the same key. */
const REFUSED_BEFORE: Readonly<Record<number, DeclineCode>> = {
  401: 'invalid_service_credentials',
  403: 'insufficient_service_permissions',
  429: 'service_rate_limit',
};

/** The statuses of an error about the request itself. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 410, 422]);

const notSent = (cause: UnknownCause, refusedAs?: DeclineCode): Answer => ({
  kind: 'unknown',
  unknown: { kind: 'unknown', cause, sent: false, ...(refusedAs && { refusedAs }) },
});

const unknown = (cause: UnknownCause, more: Pick<Unknown, 'arrived'> = {}) =>
  ({ kind: 'unknown', unknown: { kind: 'unknown', cause, ...more } }) as const;

/** Reads the body of an answer. Null for another form. */
export const parse = <Shape>(schema: z.ZodType<Shape>, body: unknown): Shape | null =>
  schema.safeParse(body).data ?? null;
