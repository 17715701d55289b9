import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { parseJson } from '../../kernel/json.ts';
import {
  clientActionOf,
  completeTransaction,
  isStorableReturn,
  type Approval,
  type Returned,
} from '../../modules/transactions/index.ts';
import { ANY_ORIGIN, PREFLIGHT } from './any-origin.ts';
import { actingAsBuyer } from '../buyer.ts';
import { refuseRequest } from '../answers/error-body.ts';
import { isPrefetch } from './prefetch.ts';
import { html } from '../pages/html.ts';
import { sendPage, type Page } from '../pages/page.ts';
import { returnAddress } from '../pages/return-address.ts';
import { BODY_BYTES_MAX, type Refused } from '../answers/replies.ts';

/**
 * Serves `/complete/<completion token>`, at which a buyer's client completes the payment of its session.
 * - A GET completes the payment and leads to its `redirectUrl` with id and status.
 * - A POST brings the results of the provider's software in the client, from any origin. The answer is the state of the payment
 *   as JSON. It has the client's next action, if there is one.
 * - Both answer 404 for an unknown token, and 409 before the buyer's approval. A POST without readable results is 400.
 *
 * A browser's prefetch completes nothing. No result is ever logged.
 */
export function serveCompletion(server: FastifyInstance, app: App): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The token alone authorises the request, so the type of the body does not matter.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, String(body)),
    );
    scope.get<Route>('/complete/:token', async (request, reply) => {
      if (isPrefetch(request)) return sendPage(reply, PREFETCH_REFUSED);
      return answer(reply, await completeTransaction(actingAsBuyer(app, request), request.params.token));
    });
    scope.options('/complete/:token', async (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
    scope.post<Route>('/complete/:token', (request, reply) => takeResults(app, request, reply));
  });
}

type Route = { Params: { token: string } };

async function takeResults(
  app: App,
  request: FastifyRequest<Route>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers(ANY_ORIGIN);
  const results = resultsOf(request.body);
  if (!results) return refuseRequest(request, reply, REFUSED.unreadable);
  const approval = await completeTransaction(actingAsBuyer(app, request), request.params.token, results);
  if (!approval) return refuseRequest(request, reply, REFUSED.unknown);
  if (approval.state === 'pending') return refuseRequest(request, reply, REFUSED.notOpened);
  const { id, status } = approval.transaction;
  return reply.send({
    transaction_id: id,
    status,
    action: await clientActionOf(app, approval),
    redirect_url: status === 'buyer_approval_pending' ? null : returnAddress(approval.transaction),
  });
}

const text = z.string();
const results = z.object({ details: z.record(text, text), paymentData: text.optional() });

/** Reads the results as the provider's software gives them. Null for another body, and for more than a provider needs. */
function resultsOf(body: unknown): Returned | null {
  const { data } = results.safeParse(parseJson(typeof body === 'string' ? body : ''));
  if (!data) return null;
  const { details, paymentData } = data;
  const returned = { ...details, ...(paymentData !== undefined && { paymentData }) };
  return isStorableReturn(returned) ? returned : null;
}

const REFUSED = {
  unknown: { status: 404, code: 'NOT_FOUND', message: 'The address completes no payment.' },
  unreadable: {
    status: 400,
    code: 'BAD_REQUEST',
    message:
      'Send the results of the software of the provider as JSON: {"details": {…}}, with at most 50 texts of 20000 characters in all.',
  },
  notOpened: {
    status: 409,
    code: 'OPERATION_NOT_ALLOWED',
    message: 'The buyer has not approved. Nothing was done. Exchange the session token first.',
  },
} as const satisfies Readonly<Record<string, Refused>>;

function answer(reply: FastifyReply, approval: Approval | null): FastifyReply {
  if (!approval) return sendPage(reply, UNKNOWN);
  if (approval.state === 'pending') return sendPage(reply, NOT_APPROVED);
  const address = returnAddress(approval.transaction);
  return address === null ? sendPage(reply, DONE) : reply.redirect(address, 303);
}

const pageOf = (status: number, title: string, what: string): Page => ({
  title,
  status,
  body: html`<h1>${title}</h1>
    <p>${what}</p>`,
});

const UNKNOWN = pageOf(404, 'There is nothing to complete here', 'The address is not complete.');
const NOT_APPROVED = pageOf(
  409,
  'The payment is not approved yet',
  'Nothing was done. Approve the payment first, then open this page again.',
);
const PREFETCH_REFUSED = pageOf(403, 'This page cannot be loaded in advance', 'Nothing was done.');
const DONE = pageOf(200, 'You can go back now', 'Ask the merchant for the result of the payment.');
