import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { offerPasskeySignIn, signInWithPasskey, signInWithPassword } from '../../modules/people/index.ts';
import { sendRefusal, type Refused } from '../answers/replies.ts';
import { browserOf, enterSession, ofOwnPage } from './own-page.ts';
import { passkeyAnswer, refuseBody, shortText } from './proof-bodies.ts';
import { waitOf } from './sign-in-limit.ts';

/**
 * Serves the ways to sign in with a local account, to pages of this server alone. Each is limited by the network of the caller.
 * - `POST /dashboard/sign-in`: with e-mail address, password and code.
 * - `POST /dashboard/sign-in/challenge`: the options for a passkey.
 * - `POST /dashboard/sign-in/passkey`: with the answer of a passkey.
 */
export function serveProofs(server: FastifyInstance, app: App): void {
  const withPassword = ofOwnPage(app, async ({ request, reply }) => {
    const limited = waitOf(app, request);
    if (limited) return sendRefusal(request, reply, limited);
    const body = passwordBody.safeParse(request.body);
    if (!body.success) return refuseBody(request, reply);
    const open = await signInWithPassword(app, body.data, browserOf(request));
    return open ? enterSession(app, { request, reply }, open) : sendRefusal(request, reply, WRONG_PROOF);
  });
  const challenge = ofOwnPage(app, async ({ request, reply }) => {
    const limited = waitOf(app, request);
    return limited ? sendRefusal(request, reply, limited) : reply.send(await offerPasskeySignIn(app));
  });
  const withPasskey = ofOwnPage(app, async ({ request, reply }) => {
    const limited = waitOf(app, request);
    if (limited) return sendRefusal(request, reply, limited);
    const body = passkeyAnswer.safeParse(request.body);
    if (!body.success) return refuseBody(request, reply);
    const open = await signInWithPasskey(app, body.data, browserOf(request));
    return open ? enterSession(app, { request, reply }, open) : sendRefusal(request, reply, WRONG_PASSKEY);
  });
  server.post('/dashboard/sign-in', withPassword);
  server.post('/dashboard/sign-in/challenge', challenge);
  server.post('/dashboard/sign-in/passkey', withPasskey);
}

const passwordBody = z.object({
  merchantAccountId: shortText,
  email: shortText,
  password: z.string().min(1).max(1024),
  code: shortText,
});

/** The same answer for each wrong part, for a person who must wait, and for an unknown person. */
const WRONG_PROOF: Refused = {
  status: 401,
  code: 'SIGN_IN_REFUSED',
  message:
    'The e-mail address, the password or the code is wrong, or the code was used. After several wrong attempts, wait 15 minutes.',
};

const WRONG_PASSKEY: Refused = {
  status: 401,
  code: 'SIGN_IN_REFUSED',
  message: 'This passkey belongs to nobody who may sign in here. Ask an owner to invite you again.',
};
