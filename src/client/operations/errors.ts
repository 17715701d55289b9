import { PaygraphError } from '../error.ts';

/** An error of an answer, as the service wrote it. */
export type ServiceError = {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
};

/** The service answered with errors. `data` has the fields that succeeded. Null if none did. */
export class RequestError extends PaygraphError {
  override readonly name: string = 'RequestError';
  readonly errors: readonly ServiceError[];
  readonly data: unknown;

  constructor(errors: readonly ServiceError[], data: unknown = null) {
    const [first] = errors;
    super(codeOf(first), first?.message ?? 'The service gave no reason.', first?.extensions);
    this.errors = errors;
    this.data = data;
  }
}

/** The token is missing, expired or revoked. */
export class AuthenticationError extends RequestError {
  override readonly name = 'AuthenticationError';
}

/** The token lacks a scope, or a merchant account is not its own. */
export class PermissionError extends RequestError {
  override readonly name = 'PermissionError';
}

/** The request breaks the schema, a limit or a pattern. The same request would be refused again. */
export class InvalidRequestError extends RequestError {
  override readonly name = 'InvalidRequestError';
}

/** The service admits no more requests now, after all retries. */
export class RateLimitError extends RequestError {
  override readonly name = 'RateLimitError';
}

/**
 * A mutation was refused, and nothing changed. `refusals` names each refused value with its path. A payload whose `userErrors` the
 * caller selects is returned instead.
 */
export class RefusedError extends PaygraphError {
  override readonly name = 'RefusedError';
  /** The field of the mutation that was refused. */
  readonly mutation: string;
  readonly refusals: readonly Refusal[];
  /** The answers of all fields of the request. */
  readonly data: unknown;

  constructor(mutation: string, refusals: readonly Refusal[], data: unknown) {
    super(refusals[0]?.code ?? 'UNKNOWN', refusals.map(({ message }) => message).join(' '));
    this.mutation = mutation;
    this.refusals = refusals;
    this.data = data;
  }
}

/** One refused value. `path` is empty if the whole mutation is refused. */
export type Refusal = { readonly code: string; readonly message: string; readonly path: readonly string[] };

/**
 * No usable answer came, after all retries. The outcome of a mutation is unknown. The same mutation with a key of
 * `idempotencyKeys` gives the first outcome, or does it now.
 */
export class UnavailableError extends PaygraphError {
  override readonly name = 'UnavailableError';
  /** The idempotency key of each mutation of the request, by its field. */
  readonly idempotencyKeys: Readonly<Record<string, string>>;

  constructor(reason: string, idempotencyKeys: Readonly<Record<string, string>>) {
    super('UNAVAILABLE', reason);
    this.idempotencyKeys = idempotencyKeys;
  }
}

/** Returns the code of an error of an answer. */
export const codeOf = (error: ServiceError | undefined): string => {
  const code = error?.extensions?.['code'];
  return typeof code === 'string' ? code : 'UNKNOWN';
};

const CLASSES: Readonly<Record<string, typeof RequestError>> = {
  UNAUTHENTICATED: AuthenticationError,
  FORBIDDEN: PermissionError,
  ...{ INVALID_INPUT: InvalidRequestError, BAD_USER_INPUT: InvalidRequestError },
  ...{ GRAPHQL_PARSE_FAILED: InvalidRequestError, GRAPHQL_VALIDATION_FAILED: InvalidRequestError },
  ...{ RATE_LIMITED: RateLimitError, TOO_MANY_OPERATIONS: RateLimitError },
};

/** Returns the error of the class that its first code names. */
export function errorOf(errors: readonly ServiceError[], data: unknown): RequestError {
  const Class = CLASSES[codeOf(errors[0])] ?? RequestError;
  return new Class(errors, data);
}
