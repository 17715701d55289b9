import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../../app.ts';
import { beginAtProvider, hasProvider, returnFromProvider } from '../../modules/people/index.ts';
import { readCookie, setSessionCookie } from '../authentication/session-cookie.ts';
import { html } from '../pages/html.ts';
import { sendPage } from '../pages/page.ts';
import { browserOf } from './own-page.ts';
import { waitOf } from './sign-in-limit.ts';

/**
 * Serves the sign-in at an identity provider.
 * - `GET /dashboard/sign-in/oidc`: leads to the provider.
 * - `GET /dashboard/sign-in/oidc/callback`: the way back. Leads to the dashboard, and to no address of the query.
 */
export function serveOidc(server: FastifyInstance, app: App): void {
  if (!hasProvider(app.config)) return;
  server.get('/dashboard/sign-in/oidc', async (request, reply) => {
    const limited = waitOf(app, request);
    if (limited) return refuse(app, reply, limited.message);
    const begun = await beginAtProvider(app);
    if (!begun.ok) return refuse(app, reply, begun.refusals[0].message);
    setVisitCookie(app, reply, begun.value.ticket);
    return reply.redirect(begun.value.url, 303);
  });
  server.get('/dashboard/sign-in/oidc/callback', async (request, reply) => {
    const ticket = readCookie(request.headers, VISIT) ?? '';
    const query = request.url.slice(request.url.indexOf('?') + 1);
    const returned = await returnFromProvider(app, { ticket, query }, browserOf(request));
    setVisitCookie(app, reply, null);
    if (!returned.ok) return refuse(app, reply, returned.refusals[0].message);
    setSessionCookie(app, reply, returned.value.ticket);
    return reply.redirect(`${app.publicUrl}/dashboard`, 303);
  });
}

const refuse = (app: App, reply: FastifyReply, message: string): FastifyReply =>
  sendPage(reply, {
    title: 'Not signed in',
    status: 403,
    body: html`<h1>Not signed in</h1>
      <p>${message}</p>
      <p><a href="${app.publicUrl}/dashboard">Back to the dashboard</a></p>`,
  });

/** The provider is another site, so this cookie is not `Strict`. It opens nothing, and lasts for one visit. */
function setVisitCookie(app: App, reply: FastifyReply, ticket: string | null): void {
  const secure = app.publicUrl.startsWith('https:') ? '; Secure' : '';
  const path = `${new URL(app.publicUrl).pathname.replace(/\/$/, '')}/dashboard/sign-in/oidc`;
  const cookie = `${VISIT}=${ticket ?? ''}; Path=${path}; Max-Age=${ticket === null ? 0 : 600}; HttpOnly; SameSite=Lax${secure}`;
  void reply.header('set-cookie', cookie);
}

const VISIT = 'paygraph_oidc';
