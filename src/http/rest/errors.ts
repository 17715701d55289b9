import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import type { Refused } from '../replies.ts';
import type { Reword } from './names.ts';
import type { Plan } from './plan.ts';
import { placeOf, type Detail, type Given } from './read-request.ts';
import type { Refusal } from './refusal-fields.ts';

/** An error of a REST path. */
export type RestError = {
  readonly status: number;
  /** The code of the contract's error bodies, for example `bad_request`. */
  readonly code: string;
  /** The finer reason, in lower case: a code of the graph, for example `capture_too_large`. */
  readonly reason: string;
  readonly message: string;
  readonly details: readonly Detail[];
  /** The id of the record that has the value already. */
  readonly resourceId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Sends an error in the contract's form, or as a problem of RFC 9457 if the caller prefers `application/problem+json`.
 */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: RestError): FastifyReply {
  const { status, code, reason, message, details, resourceId, headers = {} } = error;
  const resource = resourceId === undefined ? {} : { resource_id: resourceId };
  void reply.code(status).headers(headers);
  if (!prefersProblem(request.headers.accept))
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ type: 'error', code, status, reason, message, details, ...resource }));
  const problem = { type: 'about:blank', title: STATUS_CODES[status], status, detail: message };
  const instance = `urn:uuid:${request.id}`;
  return reply
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify({ ...problem, instance, code, reason, errors: details, ...resource }));
}

/** True if the caller names the media type of problems. JSON has an equal claim only if it comes first. */
function prefersProblem(accept = ''): boolean {
  const types = accept.split(',').map((each) => each.trim().split(';')[0]);
  const [problem, json] = ['application/problem+json', 'application/json'].map((type) => types.indexOf(type));
  return problem !== undefined && problem >= 0 && (json === undefined || json < 0 || problem < json);
}

/** The codes of the contract by status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'concurrent_request',
  413: 'bad_request',
  415: 'bad_request',
  429: 'too_many_requests',
  500: 'server_error',
  502: 'bad_gateway',
  503: 'server_error',
  504: 'gateway_timeout',
};

/** Returns an error without details. */
export const errorOf = (status: number, reason: string, message: string): RestError => ({
  ...{ status, code: CODES[status] ?? 'bad_request', reason, message, details: [] },
});

/** Returns the error for a request that the server refuses before any operation. */
export const ofTransport = ({ status, code, message, headers = {} }: Refused): RestError => ({
  ...errorOf(status, code.toLowerCase(), message.replace('extensions.retryAfterSeconds', 'Retry-After')),
  ...(message === 'The body is not valid JSON.' && { code: 'incorrect_json' }),
  headers,
});

/** Returns the error for a request that the types of a route refuse. */
export const ofDetails = (details: readonly Detail[]): RestError => ({
  ...errorOf(400, 'invalid_input', 'Request failed validation'),
  details,
});

/** Returns the error for an id that names nothing: the last of the path, or the one of the query. */
export function unknownRecord({ route, input }: Plan): RestError {
  const message = 'The token has access to no record with this id.';
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  const inQuery = input.query.find(({ to }) => to[0] === 'id')?.name ?? '';
  const place: Pick<Detail, 'location' | 'pointer'> =
    inPath === undefined
      ? { location: 'query', pointer: `/${inQuery}` }
      : { location: 'path', pointer: `/${inPath}` };
  const details = [{ ...place, message, type: 'not_found' }];
  return { ...errorOf(404, 'not_found', message), details };
}

type Asked = { readonly plan: Plan; readonly given: Given; readonly reword: Reword };

/** Returns the error for the refusals of a change. */
export function ofRefusals(refusals: readonly Refusal[], asked: Asked): RestError {
  const { plan, given, reword } = asked;
  const details = refusals.map(({ path, message, code }) => ({
    ...placeOf(plan, given, path),
    ...{ message: reword(message), type: code === 'INVALID_INPUT' ? 'value_error' : code.toLowerCase() },
  }));
  const [first] = refusals;
  if (!first) throw new Error('A refusal has no reason.');
  const reason = first.code.toLowerCase();
  const isInvalid = refusals.every(({ code }) => code === 'INVALID_INPUT');
  const message = isInvalid ? 'Request failed validation' : (details[0]?.message ?? '');
  return {
    ...errorOf(statusOfRefusal(first), reason, message),
    ...(CODE_OF_REFUSAL[first.code] && { code: CODE_OF_REFUSAL[first.code] }),
    ...(first.resourceId !== undefined && { resourceId: first.resourceId }),
    details,
    headers: retryAfter(first),
  };
}

/** The contract's codes of refusals that its statuses do not tell. */
const CODE_OF_REFUSAL: Readonly<Record<string, string>> = {
  CREDENTIALS_REFUSED: 'invalid_credentials',
  DUPLICATE: 'duplicate_record',
};

/** A record that the request acts on is unknown: 404. A record that only a value names: 400. */
const statusOfRefusal = ({ code, path }: Refusal): number =>
  code === 'NOT_FOUND' ? (path[0] === 'input' ? 400 : 404) : (STATUSES[code] ?? 400);

const STATUSES: Readonly<Record<string, number>> = {
  DUPLICATE: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  PROVIDER_UNAVAILABLE: 502,
  SANDBOX_ONLY: 403,
  TOO_MANY_CARD_NUMBERS: 429,
};

function retryAfter({ retryAfterMs, retryAfterSeconds }: Refusal): Readonly<Record<string, string>> {
  const seconds = retryAfterSeconds ?? (retryAfterMs === undefined ? null : Math.ceil(retryAfterMs / 1000));
  return seconds === null ? {} : { 'retry-after': String(seconds) };
}

/** Returns the error for an operation that failed. `error` is one that the caller may see. */
export function ofFailure(
  { message, extensions }: Pick<GraphQLFormattedError, 'message' | 'extensions'>,
  { plan, given, reword }: Asked,
): RestError {
  const code = String(extensions?.['code']);
  const refusals = (extensions?.['refusals'] ?? []) as readonly Pick<Refusal, 'path' | 'message'>[];
  const details = refusals.map((refusal) => ({
    ...placeOf(plan, given, refusal.path),
    ...{ message: reword(refusal.message), type: 'value_error' },
  }));
  const retry = extensions?.['retryAfterSeconds'];
  const said = details.length > 0 ? 'Request failed validation' : reword(message);
  return {
    ...errorOf(
      FAILURES[code] ?? 400,
      code.toLowerCase(),
      said.replace('extensions.retryAfterSeconds', 'Retry-After'),
    ),
    details,
    headers: typeof retry === 'number' ? { 'retry-after': String(retry) } : {},
  };
}

/** The statuses of failures. Every other failure comes from the request. */
const FAILURES: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  INTERNAL_SERVER_ERROR: 500,
  QUERY_TIMED_OUT: 504,
  RATE_LIMITED: 429,
  SANDBOX_ONLY: 403,
  UNAUTHENTICATED: 401,
  UNAVAILABLE: 503,
};
