import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { applyReceived, receiveWebhook } from '../modules/transactions/index.ts';
import { describeError } from './describe-error.ts';
import { BODY_BYTES_MAX, sendRefusal, type Refused } from './replies.ts';

/**
 * Serves the webhook addresses of the payment services, `POST /webhooks/<token>`, for their providers: 200 when what is told
 * is stored, also when it was before or is about nothing known; 401 for a bad signature, 400 for what cannot be read, 503
 * when it could not be stored. Applied after the answer, so that a provider never waits for it; closing waits.
 */
export function serveInbound(server: FastifyInstance, app: App): void {
  const underWay = new Set<Promise<void>>();
  server.addHook('onClose', async () => {
    await Promise.all(underWay);
  });
  void server.register(async (scope) => {
    // A signature is over the bytes, whatever they are said to be.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scope.post<{ Params: { token: string } }>('/webhooks/:token', async (request, reply) => {
      const received = await receive(app, request, request.params.token);
      if (received === null) return sendRefusal(request, reply, UNAVAILABLE);
      if (!received.ok) {
        const [refusal] = received.refusals;
        return refusal === 'not_found' ? reply.callNotFound() : sendRefusal(request, reply, REFUSED[refusal]);
      }
      const applied = applyReceived(app, received.value).finally(() => underWay.delete(applied));
      underWay.add(applied);
      return { status: 'received' };
    });
  });
}

const REFUSED = {
  bad_signature: {
    status: 401,
    code: 'UNAUTHENTICATED',
    message: 'The signature is not that of this payment service.',
  },
  unreadable: { status: 400, code: 'BAD_REQUEST', message: 'The body is no webhook of this provider.' },
} as const satisfies Readonly<Record<string, Refused>>;

const UNAVAILABLE: Refused = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'It could not be stored. Send it again.',
};

/** Null when it could not be stored: the provider is to send it again. */
async function receive(app: App, request: FastifyRequest, token: string) {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  try {
    return await receiveWebhook(app, { token, headers, rawBody });
  } catch (error) {
    app.log.error({ requestId: request.id, error: describeError(error) }, 'A webhook could not be stored.');
    return null;
  }
}
