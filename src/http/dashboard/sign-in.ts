import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from '../../modules/accounts/index.ts';
import { hasProvider } from '../../modules/people/index.ts';
import { openSession, renewSession, type Leaving } from '../../modules/sessions/index.ts';
import { sessionOf, setSessionCookie } from '../authentication/session-cookie.ts';
import { sendRefusal, type Refused } from '../answers/replies.ts';
import { serveOwnAccount } from './own-account.ts';
import { serveInvitations } from './invitations.ts';
import { serveOidc } from './oidc.ts';
import { actingAsNamed, leaveSession, ofOwnPage, sendSession } from './own-page.ts';
import { serveProofs } from './proofs.ts';

/**
 * Serves the sessions of the dashboard's pages. Other pages get 403.
 * - `POST /dashboard/session`: renews the session. Without one, a sandbox that shares its token signs in by itself.
 * - `DELETE /dashboard/session`: signs out.
 * - `DELETE /dashboard/sessions`: signs the person out of every browser.
 */
export function serveSignIn(server: FastifyInstance, app: App, signsInByItself: boolean): void {
  const renew = ofOwnPage(app, async ({ request, reply }) => {
    const cookie = sessionOf(app, request);
    const renewed = cookie === undefined ? null : await renewSession(app, cookie);
    const open = renewed ?? (signsInByItself ? await signIn(app, request) : null);
    if (!open) return sendRefusal(request, reply, nobody(app));
    setSessionCookie(app, reply, open.ticket);
    return sendSession(app, reply, open.session);
  });
  const leave = (leaving: Leaving) =>
    ofOwnPage(app, async ({ request, reply }) => {
      await leaveSession(app, request, leaving);
      setSessionCookie(app, reply, null);
      return reply.code(204).send();
    });
  server.post('/dashboard/session', renew);
  server.delete('/dashboard/session', leave('this'));
  server.delete('/dashboard/sessions', leave('all'));
  serveProofs(server, app);
  serveInvitations(server, app);
  serveOwnAccount(server, app);
  serveOidc(server, app);
}

/** Opens a session of the sandbox's only person, who may do everything. */
const signIn = (app: App, request: FastifyRequest) =>
  openSession(actingAsNamed(app, request, SANDBOX_PERSON), {
    person: SANDBOX_PERSON,
    personId: null,
    role: 'owner',
    merchantAccountId: DEFAULT_MERCHANT_ACCOUNT,
    signedInWith: 'sandbox',
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  });

const SANDBOX_PERSON = 'sandbox';

/** Nobody is signed in. `provider` tells the page whether an identity provider is configured. */
const nobody = ({ config }: App): Refused => ({
  status: 401,
  code: 'SIGN_IN_REQUIRED',
  message: 'Nobody is signed in. Sign in at /dashboard.',
  extensions: { provider: hasProvider(config) },
});
