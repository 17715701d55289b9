import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import {
  joinWithPasskey,
  joinWithPassword,
  offerPasskey,
  openInvitation,
} from '../../modules/people/index.ts';
import { sendRefusal, type Refused } from '../answers/replies.ts';
import { browserOf, enterSession, ofOwnPage } from './own-page.ts';
import { newPasskey, refuseBody, shortText } from './proof-bodies.ts';
import { waitOf } from './sign-in-limit.ts';

/**
 * Serves the page of an invitation, to pages of this server alone. The secret of the invitation is in the body, so that no log of
 * addresses has it.
 * - `POST /dashboard/invitation`: tells the person, the role and the shared secret for one-time codes.
 * - `POST /dashboard/invitation/password`: accepts with a password and a code.
 * - `POST /dashboard/invitation/challenge`: the options for a new passkey.
 * - `POST /dashboard/invitation/passkey`: accepts with a new passkey.
 */
export function serveInvitations(server: FastifyInstance, app: App): void {
  const post = <Body extends z.ZodType>(path: string, schema: Body, answer: Answer<z.output<Body>>): void => {
    server.post(
      path,
      ofOwnPage(app, async (exchange) => {
        const { request, reply } = exchange;
        const limited = waitOf(app, request);
        if (limited) return sendRefusal(request, reply, limited);
        const body = schema.safeParse(request.body);
        return body.success ? answer(body.data, exchange) : refuseBody(request, reply);
      }),
    );
  };
  post('/dashboard/invitation', z.object({ ticket: shortText }), async ({ ticket }, { request, reply }) => {
    const invitation = await openInvitation(app, ticket, browserOf(request));
    return invitation ? reply.send(invitation) : sendRefusal(request, reply, NO_INVITATION);
  });
  post('/dashboard/invitation/password', passwordBody, async (given, { request, reply }) => {
    const joined = await joinWithPassword(app, given, browserOf(request));
    if (!joined) return sendRefusal(request, reply, NO_INVITATION);
    if (!joined.ok) return sendRefusal(request, reply, refusalOf(joined.refusals[0]));
    const { recoveryCodes } = joined.value;
    return enterSession(app, { request, reply }, joined.value, { recoveryCodes });
  });
  post(
    '/dashboard/invitation/challenge',
    z.object({ ticket: shortText }),
    async ({ ticket }, { request, reply }) => {
      const options = await offerPasskey(app, ticket);
      return options ? reply.send(options) : sendRefusal(request, reply, NO_INVITATION);
    },
  );
  post('/dashboard/invitation/passkey', passkeyBody, async (given, { request, reply }) => {
    const open = await joinWithPasskey(app, given, browserOf(request));
    return open ? enterSession(app, { request, reply }, open) : sendRefusal(request, reply, NO_INVITATION);
  });
}

type Exchange = Parameters<Parameters<typeof ofOwnPage>[1]>[0];
type Answer<Body> = (body: Body, exchange: Exchange) => ReturnType<Parameters<typeof ofOwnPage>[1]>;

const passwordBody = z.object({ ticket: shortText, password: z.string().min(1).max(1024), code: shortText });
const passkeyBody = z.object({ ticket: shortText, response: newPasskey });

const NO_INVITATION: Refused = {
  status: 404,
  code: 'INVITATION_NOT_FOUND',
  message: 'This invitation has expired, or it was used or replaced. Ask an owner for a new one.',
};

const refusalOf = ({
  path,
  message,
}: {
  readonly path: readonly string[];
  readonly message: string;
}): Refused => ({
  status: 400,
  code: 'INVALID_INPUT',
  message,
  extensions: { path },
});
