import type { GraphQLFormattedError } from 'graphql';
import { errorOf, type Detail, type RestError } from '../answers/error-body.ts';
import type { Reword } from './names.ts';
import type { Plan } from './plan.ts';
import { placeOf, type Given } from './input/read-request.ts';
import type { Refusal } from './refusal-fields.ts';

/** Returns the error for a request that the types of a route refuse. */
export const ofDetails = (details: readonly Detail[]): RestError => ({
  ...errorOf(400, 'invalid_input', 'Request failed validation'),
  details,
});

/** Returns the error for an id that names nothing: the last of the path, or the one of the query. A path may name none. */
export function unknownRecord({ route, input }: Plan): RestError {
  const message = 'The token has access to no record with this id.';
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  const inQuery = input.query.find(({ to }) => to[0] === 'id')?.name;
  if (inPath === undefined && inQuery === undefined)
    return errorOf(404, 'not_found', 'The merchant account has no such record yet.');
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
  PAYMENTS_HELD: 503,
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
  ACCOUNT_MOVING: 503,
  FORBIDDEN: 403,
  INTERNAL_SERVER_ERROR: 500,
  QUERY_TIMED_OUT: 504,
  RATE_LIMITED: 429,
  SANDBOX_ONLY: 403,
  UNAUTHENTICATED: 401,
  UNAVAILABLE: 503,
};
