import { actingAsBuyer } from './buyer.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../app.ts';
import {
  completeTransaction,
  createTransactionSession,
  type Approval,
  type TransactionSession,
} from '../modules/transactions/index.ts';
import { isPrefetch } from './prefetch.ts';
import { html } from './pages/html.ts';
import { sendPage, type Page } from './pages/page.ts';
import { returnAddress } from './pages/return-address.ts';
import { refuseRequest } from './error-body.ts';
import { BODY_BYTES_MAX, type Refused } from './replies.ts';

/**
 * Serves buyers' clients, which have only a token.
 * - `POST /transactions/<id>/session?token=<session token>` is `createTransactionSession` without an access token, from
 *   any origin.
 * - `GET /complete/<completion token>` completes the payment and leads to its `redirectUrl` with id and status. It
 *   answers 404 for an unknown token, and 409 before the buyer's approval.
 *
 * A browser's prefetch completes nothing.
 */
export function serveSessions(server: FastifyInstance, app: App): void {
  void server.register(async (scope) => {
    // The body is ignored.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, _body, done) => done(null),
    );
    scope.options('/transactions/:id/session', async (_request, reply) =>
      reply.code(204).headers(PREFLIGHT).send(),
    );
    scope.post<SessionRoute>('/transactions/:id/session', async (request, reply) => {
      void reply.headers(ANY_ORIGIN);
      const { id } = request.params;
      const { token } = request.query;
      if (typeof token !== 'string') return refuseRequest(request, reply, REFUSED.NotFound);
      const opened = await createTransactionSession(actingAsBuyer(app, request), null, { id, token });
      return opened.ok
        ? toBody(opened.value)
        : refuseRequest(request, reply, REFUSED[opened.refusals[0].kind]);
    });
    scope.get<{ Params: { token: string } }>('/complete/:token', async (request, reply) => {
      if (isPrefetch(request)) return sendPage(reply, PREFETCH_REFUSED);
      return answer(reply, await completeTransaction(actingAsBuyer(app, request), request.params.token));
    });
  });
}

type SessionRoute = { Params: { id: string }; Querystring: { token?: string | readonly string[] } };

/** The token authorises the request, not the browser's cookies. Every origin may therefore ask. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
const PREFLIGHT = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};

const REFUSED = {
  NotFound: {
    status: 404,
    code: 'NOT_FOUND',
    message: 'The token opens no session of this transaction.',
  },
  TransactionSessionEnded: {
    status: 409,
    code: 'OPERATION_NOT_ALLOWED',
    message: 'The payment does not wait for its buyer any more.',
  },
  ProviderUnavailable: {
    status: 503,
    code: 'PROVIDER_UNAVAILABLE',
    message: 'The provider gave no usable answer. Nothing was changed. Try again.',
  },
} as const satisfies Readonly<Record<string, Refused>>;

/** Returns the session with the field names of the REST path. */
const toBody = ({ sessionData, defaultCompletionUrl, integrationClient, expiresAt }: TransactionSession) => ({
  session_data: {
    order_id: sessionData.orderId,
    client_id: sessionData.clientId,
    merchant_id: sessionData.merchantId,
    currency: sessionData.currency,
    intent: sessionData.intent,
    funding_source: sessionData.fundingSource,
    approval_url: sessionData.approvalUrl,
  },
  default_completion_url: defaultCompletionUrl,
  integration_client: integrationClient,
  expires_at: expiresAt.toISOString(),
});

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
