import { digestToken, type AccessToken } from '../../modules/accounts/index.ts';

/**
 * Returns the token of `Bearer <token>`, and undefined for anything else. A client sends the same header with many requests.
 * The digest takes longer than the rest of authentication, so each connection remembers its latest header.
 */
export function tokenOf(
  authorization: string | undefined,
  connection: object | undefined,
): AccessToken | undefined {
  if (authorization === undefined) return undefined;
  const known = connection && latest.get(connection);
  // A proxy sends the requests of many callers over one connection.
  if (known?.authorization === authorization) return known.token;
  const bearer = bearerOf(authorization);
  if (bearer === undefined) return undefined;
  const token = digestToken(bearer);
  if (connection) latest.set(connection, { authorization, token });
  return token;
}

/** The latest header of each open connection. It is freed with the connection. */
const latest = new WeakMap<object, Read>();

type Read = { readonly authorization: string; readonly token: AccessToken };

/** The scheme may be in any letter case (RFC 9110). One pattern for the whole text would take five times as long. */
function bearerOf(authorization: string): string | undefined {
  const token = authorization.slice(SCHEME_LENGTH).trim();
  return /^bearer $/i.test(authorization.slice(0, SCHEME_LENGTH)) && token !== '' ? token : undefined;
}

const SCHEME_LENGTH = 'Bearer '.length;
