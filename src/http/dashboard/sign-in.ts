import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from '../../modules/accounts/index.ts';
import { endSession, openSession, renewSession, ROLES, type Session } from '../../modules/sessions/index.ts';
import { actingAs } from '../../platform/acting.ts';
import { environmentOf } from '../../platform/config.ts';
import { isFromDashboard, sessionOf, setSessionCookie } from '../authentication/session-cookie.ts';
import { sendRefusal, type Refused } from '../replies.ts';

/**
 * Serves the sessions of the dashboard's pages. Other pages get 403.
 * - `POST /dashboard/session`: renews the session. Without one, a sandbox that shares its token signs in by itself.
 * - `DELETE /dashboard/session`: signs out.
 */
export function serveSignIn(server: FastifyInstance, app: App, signsInByItself: boolean): void {
  server.post('/dashboard/session', async (request, reply) => {
    if (!isFromDashboard(app, request)) return sendRefusal(request, reply, FOREIGN);
    const cookie = sessionOf(app, request);
    const renewed = cookie === undefined ? null : await renewSession(app, cookie);
    const open = renewed ?? (signsInByItself ? await signIn(app, request) : null);
    if (!open) return sendRefusal(request, reply, app.config.production ? NO_SIGN_IN : NOT_HERE);
    setSessionCookie(app, reply, open.ticket);
    return send(reply, app, open.session);
  });
  server.delete('/dashboard/session', async (request, reply) => {
    if (!isFromDashboard(app, request)) return sendRefusal(request, reply, FOREIGN);
    const cookie = sessionOf(app, request);
    if (cookie !== undefined) await endSession(app, cookie, (person) => acting(app, request, person));
    setSessionCookie(app, reply, null);
    return reply.code(204).send();
  });
}

/** Opens a session of the sandbox's only person, who may do everything. */
const signIn = (app: App, request: FastifyRequest) =>
  openSession(acting(app, request, SANDBOX_PERSON), {
    person: SANDBOX_PERSON,
    role: 'owner',
    merchantAccountId: DEFAULT_MERCHANT_ACCOUNT,
  });

const SANDBOX_PERSON = 'sandbox';

const acting = (app: App, request: FastifyRequest, person: string): App =>
  actingAs(app, {
    kind: 'person',
    id: null,
    subject: person,
    address: request.ip,
    requestId: request.id,
  });

/** The facts about a session that its page needs. */
const send = (reply: FastifyReply, app: App, session: Session): FastifyReply =>
  reply.send({
    person: session.person,
    role: session.role,
    scopes: ROLES[session.role],
    merchantAccountId: session.merchantAccountId,
    environment: environmentOf(app.config),
    expiresAt: session.expiresAt.toISOString(),
  });

const FOREIGN: Refused = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Only a page of the dashboard may ask for a session.',
};

const NO_SIGN_IN: Refused = {
  status: 401,
  code: 'SIGN_IN_NOT_CONFIGURED',
  message: 'This installation has no way to sign in to the dashboard yet. Use the API with an access token.',
};

const NOT_HERE: Refused = {
  status: 401,
  code: 'SIGN_IN_NOT_CONFIGURED',
  message:
    'This sandbox listens where others may reach it, so it signs nobody in. PAYGRAPH_SHARE_SANDBOX_TOKEN=true allows that.',
};
