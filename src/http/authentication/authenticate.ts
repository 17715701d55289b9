import type { App } from '../../app.ts';
import { verifyToken } from '../../modules/accounts/index.ts';
import type { Authentication, Credentials } from './credentials.ts';

/** The message for every refused token, whatever is wrong with it. The debug log has the reason. */
export const UNAUTHENTICATED = 'The access token is missing, expired or not valid.';

/**
 * Identifies the caller from HTTP headers or from the payload of `connection_init`. Rejects only if the
 * database does not answer.
 */
export async function authenticate(
  app: App,
  { authorization, merchantAccountId }: Credentials,
): Promise<Authentication> {
  const verified = await verifyToken(app, bearerOf(authorization), merchantAccountId);
  if (verified.ok) return { viewer: verified.value };
  const [refusal] = verified.refusals;
  if (refusal.kind === 'Forbidden') return { refusal: 'forbidden', message: refusal.message };
  app.log.debug({ reason: refusal.reason }, 'An access token was refused.');
  return { refusal: 'unauthenticated', message: UNAUTHENTICATED };
}

/**
 * Returns the token of `Bearer <token>`, and undefined for anything else. The scheme may be in any letter case (RFC
 * 9110).
 */
const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1];
