import { GraphQLError } from 'graphql';
import type { InvalidInput } from '../kernel/refusal.ts';

/** Returns the error for a request without a valid token. */
export const unauthenticated = (message: string): GraphQLError => coded('UNAUTHENTICATED', message);

/**
 * Returns the error for a missing scope. The message and `extensions.requiredScopes` list groups of scopes. One
 * group is enough.
 */
export const missingScope = (groups: readonly (readonly string[])[]): GraphQLError =>
  coded('FORBIDDEN', `The token lacks the scope ${inWords(groups)}.`, { requiredScopes: groups });

/** Returns the error for a mutation whose answer the token may not read. The path starts with the mutation. */
export const unreadableAnswer = (
  path: readonly string[],
  groups: readonly (readonly string[])[],
): GraphQLError =>
  coded(
    'FORBIDDEN',
    `Nothing was done. The field ${path.join('.')} of the answer needs the scope ${inWords(groups)}, which the token lacks.`,
    { requiredScopes: groups },
  );

/** Returns the error for an argument that needs a scope. `path` has the names from the argument on. */
export const argumentNeedsScope = (
  path: readonly string[],
  groups: readonly (readonly string[])[],
): GraphQLError =>
  coded(
    'FORBIDDEN',
    `The argument ${path.join('.')} needs the scope ${inWords(groups)}, which the token lacks.`,
    { requiredScopes: groups },
  );

/** Returns the error for a viewer who lacks a right other than a scope. */
export const forbidden = (message: string): GraphQLError => coded('FORBIDDEN', message);

/**
 * Returns the error for invalid arguments of a query or subscription. `extensions.refusals` lists each with its
 * path.
 */
export const invalidArguments = (refusals: readonly InvalidInput[]): GraphQLError =>
  coded('INVALID_INPUT', refusals.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '), {
    refusals: refusals.map(({ path, message }) => ({ path, message })),
  });

/**
 * Returns the error for events that retention removed. `extensions.earliestCursor` continues with the oldest
 * event.
 */
export const cursorExpired = (earliestCursor: string): GraphQLError =>
  coded(
    'CURSOR_EXPIRED',
    'The events after this cursor were removed because of their age. Continue from extensions.earliestCursor, and read the records of the missed events again.',
    { earliestCursor },
  );

/** Returns the error for a subscription that came by HTTP from a caller who takes no event stream. */
export const subscriptionOverHttp = (): GraphQLError =>
  coded(
    'SUBSCRIPTION_NEEDS_WEBSOCKET',
    'A subscription needs a websocket with the protocol graphql-transport-ws at the same path, or a POST that accepts text/event-stream.',
  );

/** The message of every refusal for lack of budget. Nothing of a refused request has begun. */
export const RATE_LIMITED_MESSAGE =
  'The merchant account has used up its budget of requests or of cost, or its earlier requests still wait. Wait for extensions.retryAfterSeconds, then send fewer requests at once, or smaller reads.';

/** Returns the error for a merchant account whose budget is used up. The HTTP status is 429. */
export const budgetSpent = (retryAfterSeconds: number): GraphQLError =>
  coded('RATE_LIMITED', RATE_LIMITED_MESSAGE, {
    retryAfterSeconds,
    http: { status: 429, headers: new Map([['retry-after', String(retryAfterSeconds)]]) },
  });

/**
 * Returns an error with a code in `extensions.code`, for clients to branch on. Never put an input value into
 * the message.
 */
export const coded = (
  code: string,
  message: string,
  extensions: Readonly<Record<string, unknown>> = {},
): GraphQLError => new GraphQLError(message, { extensions: { code, ...extensions } });

const inWords = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.join(' and ')).join(', or ');
