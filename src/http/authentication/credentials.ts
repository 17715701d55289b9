import type { IncomingHttpHeaders } from 'node:http';
import { refusalOfAway } from '../answers/account-away.ts';
import type { Away } from '../../platform/moves/known-moves.ts';
import { tooMany } from '../limits/budgets.ts';
import type { Refused } from '../answers/replies.ts';
import type { Viewer } from '../../app.ts';

/** The credentials of a caller: HTTP headers, or the same names in the payload of `connection_init`. */
export type Credentials = {
  readonly authorization: string | undefined;
  readonly merchantAccountId: string | undefined;
  /** The cookie of a person's session, from a page of this server. Counts only without `authorization`. */
  readonly session?: string | undefined;
  /** The socket of an HTTP request. It remembers its latest token. */
  readonly connection?: object | undefined;
};

/** Reads the credentials of a request. Node gives the names of headers in lower case. */
export const credentialsOfHeaders = ({
  authorization,
  'x-service-merchant-account-id': merchantAccountId,
}: IncomingHttpHeaders): Credentials => ({
  authorization,
  merchantAccountId: typeof merchantAccountId === 'string' ? merchantAccountId : undefined,
});

/** Reads the credentials by name, in any letter case. A value that is no text counts as absent. */
export function credentialsOf(given: Readonly<Record<string, unknown>> = {}): Credentials {
  const find = (name: string): string | undefined => {
    const value = Object.entries(given).find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof value === 'string' ? value : undefined;
  };
  return { authorization: find('authorization'), merchantAccountId: find('x-service-merchant-account-id') };
}

/** Returns the answer to refused credentials, with the challenge of RFC 6750. */
export function refusedCredentials(refused: Refusal, given: Credentials): Refused {
  const { refusal, message } = refused;
  if (refusal === 'away') return refusalOfAway(refused.away);
  if (refusal === 'limited') return tooMany(message, refused.retryAfterSeconds);
  if (refusal === 'forbidden') return { status: 403, code: 'FORBIDDEN', message };
  const challenge = given.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
  return { status: 401, code: 'UNAUTHENTICATED', message, headers: { 'www-authenticate': challenge } };
}

type Refusal = Extract<Authentication, { readonly refusal: string }>;

/**
 * The viewer, or the reason for the refusal.
 *
 * - `unauthenticated`: 401, or 4401 on a websocket, always with the same message.
 * - `forbidden`: 403, or 4403 on a websocket, with a message that may be shown.
 * - `away`: 421, or 4403 on a websocket. The merchant account is in another cell.
 * - `limited`: 429, or 1013 on a websocket. The address sent too many refused tokens.
 */
export type Authentication =
  | { readonly viewer: Viewer }
  | { readonly refusal: 'unauthenticated' | 'forbidden'; readonly message: string }
  | { readonly refusal: 'away'; readonly message: string; readonly away: Away }
  | { readonly refusal: 'limited'; readonly message: string; readonly retryAfterSeconds: number };
