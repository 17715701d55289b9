import { actingAsBuyer } from '../buyer.ts';
import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { createTransactionSession, type TransactionSession } from '../../modules/transactions/index.ts';
import { ANY_ORIGIN, PREFLIGHT } from './any-origin.ts';
import { refuseRequest } from '../answers/error-body.ts';
import { BODY_BYTES_MAX, type Refused } from '../answers/replies.ts';

/**
 * Serves `POST /transactions/<id>/session?token=<session token>` to buyers' clients, which have only a token. The request is
 * `createTransactionSession` without an access token, from any origin.
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
  });
}

type SessionRoute = { Params: { id: string }; Querystring: { token?: string | readonly string[] } };

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
    action: sessionData.action,
  },
  default_completion_url: defaultCompletionUrl,
  integration_client: integrationClient,
  expires_at: expiresAt.toISOString(),
});
