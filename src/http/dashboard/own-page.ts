import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import {
  endSession,
  ROLES,
  type Leaving,
  type OpenSession,
  type Session,
} from '../../modules/sessions/index.ts';
import type { Browser } from '../../modules/people/index.ts';
import { actingAs } from '../../platform/database/acting.ts';
import { environmentOf } from '../../platform/process/config.ts';
import { isFromDashboard, sessionOf, setSessionCookie } from '../authentication/session-cookie.ts';
import { sendRefusal, type Refused } from '../answers/replies.ts';

/** A request of a page of the dashboard, with its answer. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** Answers only pages of this server. Other pages get 403, and no cookie of theirs counts. */
export const ofOwnPage =
  (app: App, answer: (exchange: Exchange) => Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    isFromDashboard(app, request) ? answer({ request, reply }) : sendRefusal(request, reply, FOREIGN);

const FOREIGN: Refused = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Only a page of the dashboard may ask for a session.',
};

/** Returns what the server sees of a browser. */
export const browserOf = ({ ip, id, headers }: FastifyRequest): Browser => ({
  address: ip,
  userAgent: headers['user-agent'] ?? null,
  requestId: id,
});

/** Gives the browser a new session. Ends the session that the browser had. `more` is beside the facts about the session. */
export async function enterSession(
  app: App,
  { request, reply }: Exchange,
  { session, ticket }: OpenSession,
  more: Readonly<Record<string, unknown>> = {},
): Promise<FastifyReply> {
  await leaveSession(app, request);
  setSessionCookie(app, reply, ticket);
  return sendSession(app, reply, session, more);
}

/** Ends the session of the browser, or all sessions of its person. */
export async function leaveSession(app: App, request: FastifyRequest, leaving?: Leaving): Promise<void> {
  const cookie = sessionOf(app, request);
  const actingFor = (person: string): App => actingAsNamed(app, request, person);
  if (cookie !== undefined) await endSession(app, cookie, actingFor, leaving);
}

/** Returns an app whose changes are those of a person of this name. */
export const actingAsNamed = (app: App, request: FastifyRequest, person: string): App =>
  actingAs(app, {
    kind: 'person',
    id: null,
    subject: person,
    address: request.ip,
    requestId: request.id,
  });

/** Sends the facts about a session that its page needs. */
export const sendSession = (
  app: App,
  reply: FastifyReply,
  session: Session,
  more: Readonly<Record<string, unknown>> = {},
): FastifyReply =>
  reply.send({
    person: session.person,
    personId: session.personId,
    role: session.role,
    scopes: ROLES[session.role],
    merchantAccountId: session.merchantAccountId,
    environment: environmentOf(app.config),
    expiresAt: session.expiresAt.toISOString(),
    ...more,
  });
