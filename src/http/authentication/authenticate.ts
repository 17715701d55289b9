import type { App, Viewer } from '../../app.ts';
import { verifyToken, wasVerified } from '../../modules/accounts/index.ts';
import { verifySession } from '../../modules/sessions/index.ts';
import { awayOf } from '../../platform/moves/known-moves.ts';
import { refusalOfAway } from '../answers/account-away.ts';
import { tokenOf } from './bearer-token.ts';
import type { Authentication, Credentials } from './credentials.ts';
import { failedTokensOf } from './failed-tokens.ts';

/** The message for every refused token, whatever is wrong with it. The log has the reason. */
export const UNAUTHENTICATED = 'The access token is missing, expired or not valid.';

/**
 * Identifies the caller from HTTP headers or from the payload of `connection_init`. Rejects only if the
 * database does not answer. A refused token is logged with the address of the caller and the id of the key.
 *
 * After too many refused tokens, an address is refused without a look at its token. A token that this process verified
 * before still passes, so that others behind the same address go on.
 */
export async function authenticate(
  app: App,
  { authorization, merchantAccountId, session, connection }: Credentials,
  address: string | null = null,
): Promise<Authentication> {
  if (authorization === undefined && session !== undefined)
    return authenticateSession(app, session, merchantAccountId);
  const token = tokenOf(authorization, connection);
  const failed = failedTokensOf(app);
  const retryAfterSeconds = authorization === undefined ? null : failed.waitSeconds(address);
  if (retryAfterSeconds !== null && (token === undefined || !wasVerified(app, token))) {
    app.log.debug({ reason: 'too many refused tokens', address }, REFUSED);
    return { refusal: 'limited', message: TOO_MANY, retryAfterSeconds };
  }
  const verified = await verifyToken(app, token, merchantAccountId);
  if (verified.ok) return await whereServed(app, verified.value);
  const [refusal] = verified.refusals;
  if (refusal.kind === 'Forbidden') {
    app.log.warn({ reason: 'merchant account', address }, REFUSED);
    return { refusal: 'forbidden', message: refusal.message };
  }
  const { reason, keyId = null } = refusal;
  // A request without any token tries nothing. The log of an address is limited like its tokens.
  const isLoud = authorization !== undefined && retryAfterSeconds === null;
  app.log[isLoud ? 'warn' : 'debug']({ reason, address, keyId }, REFUSED);
  if (authorization !== undefined) failed.count(address);
  return { refusal: 'unauthenticated', message: UNAUTHENTICATED };
}

/** Identifies the person of a session. A session has one merchant account. */
async function authenticateSession(
  app: App,
  session: string,
  requested: string | undefined,
): Promise<Authentication> {
  const viewer = await verifySession(app, session);
  if (!viewer) return { refusal: 'unauthenticated', message: SIGNED_OUT };
  if (requested !== undefined && requested !== viewer.merchantAccountId)
    return { refusal: 'forbidden', message: 'The session has no access to this merchant account.' };
  return await whereServed(app, viewer);
}

/** Refuses a known caller whose merchant account is in another cell. */
async function whereServed(app: App, viewer: Viewer): Promise<Authentication> {
  const away = await awayOf(app, viewer.merchantAccountId);
  return away ? { refusal: 'away', message: refusalOfAway(away).message, away } : { viewer };
}

/** The message for a session that ended or expired. */
const SIGNED_OUT = 'The session has ended. Sign in again.';

/** The message after too many refused tokens, short enough for the reason of a closed websocket. */
const TOO_MANY = 'This address sent too many refused tokens. Get a valid token, then try again later.';

const REFUSED = 'An access token was refused.';
