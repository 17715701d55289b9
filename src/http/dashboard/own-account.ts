import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import type { InvalidInput, NotFound } from '../../kernel/refusal.ts';
import type { Result } from '../../kernel/result.ts';
import {
  addOwnPasskey,
  changeOwnPassword,
  nameOwnPasskey,
  offerCodes,
  offerOwnPasskey,
  offerProof,
  readOwnAccount,
  removeOwnPasskey,
  renewOwnCodes,
  type OwnRequest,
} from '../../modules/people/index.ts';
import { verifySession } from '../../modules/sessions/index.ts';
import { sessionOf } from '../authentication/session-cookie.ts';
import { sendRefusal, type Refused } from '../answers/replies.ts';
import { browserOf, ofOwnPage, type Exchange } from './own-page.ts';
import { newPasskey, ownProof, refuseBody, shortText } from './proof-bodies.ts';
import { waitOf } from './sign-in-limit.ts';

/**
 * Serves the account of the signed-in person, to pages of this server alone. Each path is limited by the network of the caller, like
 * a sign-in. Below `POST /dashboard/account`:
 * - the path itself: the means to sign in.
 * - `/proof`: the options with which a person without a password proves to be there.
 * - `/password`: another password.
 * - `/codes/offer` and `/codes`: another shared secret, and then other recovery codes.
 * - `/passkeys/challenge` and `/passkeys`: a further passkey.
 * - `/passkeys/name` and `/passkeys/remove`.
 */
export function serveOwnAccount(server: FastifyInstance, app: App): void {
  const post = postsOf(server, app);
  post('', z.object({}), async ({ self }, _, { reply }) => sendFound(reply, await readOwnAccount(app, self)));
  post('/proof', z.object({}), async ({ self }, _, { reply }) =>
    sendFound(reply, await offerProof(app, self)),
  );
  post('/password', passwordBody, async (asked, { newPassword }, { reply }) =>
    sendResult(reply, await changeOwnPassword(app, asked, newPassword)),
  );
  post('/codes/offer', z.object({}), async ({ self }, _, { reply }) =>
    sendFound(reply, await offerCodes(app, self)),
  );
  post('/codes', codesBody, async (asked, offered, { reply }) =>
    sendResult(reply, await renewOwnCodes(app, asked, offered), (recoveryCodes) => ({ recoveryCodes })),
  );
  post('/passkeys/challenge', proofBody, async (asked, _, { reply }) =>
    sendResult(reply, await offerOwnPasskey(app, asked), (options) => options),
  );
  post('/passkeys', passkeyBody, async (asked, made, { reply }) =>
    sendResult(reply, await addOwnPasskey(app, asked, made)),
  );
  post('/passkeys/name', nameBody, async (asked, named, { reply }) =>
    sendResult(reply, await nameOwnPasskey(app, asked, named)),
  );
  post('/passkeys/remove', removalBody, async (asked, { id }, { reply }) =>
    sendResult(reply, await removeOwnPasskey(app, asked, id)),
  );
}

const proofBody = z.object({ proof: ownProof });
const passwordBody = proofBody.extend({ newPassword: z.string().min(1).max(1024) });
const codesBody = proofBody.extend({ offer: z.string().max(2_000), code: shortText });
const passkeyName = z.string().trim().min(1).max(60);
const passkeyBody = z.object({ response: newPasskey, name: passkeyName });
const nameBody = z.object({ id: shortText, name: passkeyName });
const removalBody = proofBody.extend({ id: shortText });

type Answer<Body> = (asked: OwnRequest, body: Body, exchange: Exchange) => Promise<FastifyReply>;

/** Returns the function that serves a path to the person of a session. Nobody else gets an answer. */
const postsOf =
  (server: FastifyInstance, app: App) =>
  <Body extends z.ZodType>(path: string, schema: Body, answer: Answer<z.output<Body>>): void => {
    server.post(
      `/dashboard/account${path}`,
      ofOwnPage(app, async (exchange) => {
        const { request, reply } = exchange;
        const limited = waitOf(app, request);
        if (limited) return sendRefusal(request, reply, limited);
        const cookie = sessionOf(app, request);
        const self = cookie === undefined ? null : await verifySession(app, cookie);
        if (!self) return sendRefusal(request, reply, NOT_SIGNED_IN);
        const body = schema.safeParse(request.body ?? {});
        if (!body.success) return refuseBody(request, reply);
        const { proof = {} } = proofBody.partial().safeParse(request.body ?? {}).data ?? {};
        return answer({ self, proof, browser: browserOf(request) }, body.data, exchange);
      }),
    );
  };

const NOT_SIGNED_IN: Refused = {
  status: 401,
  code: 'SIGN_IN_REQUIRED',
  message: 'Nobody is signed in. Sign in at /dashboard.',
};

const NO_ACCOUNT: Refused = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'You have no account of this kind here. The visitor of a sandbox has none.',
};

const sendFound = (reply: FastifyReply, found: object | null): FastifyReply =>
  found ? reply.send(found) : sendRefusal(reply.request, reply, NO_ACCOUNT);

/** Sends the refusal of a change, or what `toBody` makes of its result. */
function sendResult<Value>(
  reply: FastifyReply,
  result: Result<Value, InvalidInput | NotFound>,
  toBody: (value: Value) => object = () => ({}),
): FastifyReply {
  if (result.ok) return reply.send(toBody(result.value));
  const [refusal] = result.refusals;
  if (refusal.kind === 'NotFound') return sendRefusal(reply.request, reply, NO_ACCOUNT);
  const { message, path } = refusal;
  return sendRefusal(reply.request, reply, {
    status: 400,
    code: 'INVALID_INPUT',
    message,
    extensions: { path },
  });
}
