import { GraphQLError } from 'graphql';
import type { InvalidInput } from '../kernel/refusal.ts';

/** The request carries no valid token. */
export const unauthenticated = (message: string): GraphQLError => coded('UNAUTHENTICATED', message);

/** The viewer lacks a scope; the message and `extensions.requiredScopes` name it: any one of the groups is enough. */
export const missingScope = (groups: readonly (readonly string[])[]): GraphQLError =>
  coded('FORBIDDEN', `The token lacks the scope ${inWords(groups)}.`, { requiredScopes: groups });

/** The viewer may not do this, for another reason than a scope. */
export const forbidden = (message: string): GraphQLError => coded('FORBIDDEN', message);

/** Arguments of a query or subscription that break a limit; each is listed in `extensions.refusals` with its path. */
export const invalidArguments = (refusals: readonly InvalidInput[]): GraphQLError =>
  coded('INVALID_INPUT', refusals.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '), {
    refusals: refusals.map(({ path, message }) => ({ path, message })),
  });

/** Events behind the cursor were removed, as older than the retention; `extensions.earliestCursor` goes on with the oldest. */
export const cursorExpired = (earliestCursor: string): GraphQLError =>
  coded(
    'CURSOR_EXPIRED',
    'The events after this cursor were removed because of their age. Continue from extensions.earliestCursor, and read the records of the missed events again.',
    { earliestCursor },
  );

/** An error that a client can branch on by `extensions.code`. Never put an input value into the message. */
export const coded = (
  code: string,
  message: string,
  extensions: Readonly<Record<string, unknown>> = {},
): GraphQLError => new GraphQLError(message, { extensions: { code, ...extensions } });

const inWords = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.join(' and ')).join(', or ');
