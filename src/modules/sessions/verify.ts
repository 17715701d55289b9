import type { App, Viewer } from '../../app.ts';
import { findProven } from './renew.ts';
import { ROLES } from './role.ts';

/**
 * Returns the viewer of a session's cookie: the session's person, with the scopes of the role and one merchant account. Reads the
 * session at each call, so an end takes effect at once. Null without a valid session.
 */
export async function verifySession(app: App, cookie: string): Promise<Viewer | null> {
  const known = await findProven(app, cookie);
  if (!known) return null;
  const { id, merchantAccountId, person, personId, role, expiresAt } = known.session;
  return {
    merchantAccountId,
    scopes: ROLES[role],
    apiKeyPairId: id,
    person,
    personId,
    reachableMerchantAccountIds: [merchantAccountId],
    tokenExpiresAt: expiresAt,
  };
}
