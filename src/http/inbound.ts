import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { DeliveredWebhook } from '../connectors/notices/webhook.ts';
import type { Result } from '../kernel/result.ts';
import {
  applyReceived,
  applyReceivedReviews,
  closeLookUps,
  lookUpPayments,
  proveAddress,
  receiveReview,
  receiveWebhook,
  type ReceivedWebhook,
} from '../modules/transactions/index.ts';
import { describeError } from '../platform/describe-error.ts';
import { tracedAfter, traceparent } from '../platform/tracing/trace.ts';
import { refusalOfMovedWebhook } from './answers/account-away.ts';
import { refuseRequest } from './answers/error-body.ts';
import { BODY_BYTES_MAX, type Refused } from './answers/replies.ts';

/**
 * Serves `POST /webhooks/<token>` for payment providers and `POST /webhooks/anti-fraud/<token>` for anti-fraud
 * services.
 * - 200: the webhook is stored, also when it is a repeat, about something unknown, or rightly signed and unreadable. The
 *   same for a webhook that only names a payment
 * - 400: it has no place for a signature, or is unsigned and unreadable
 * - 401: its signature is wrong
 * - 503: it could not be stored
 *
 * Serves `GET /webhooks/<token>` for providers that prove an address first. Any other GET gets 404.
 *
 * Applies webhooks after the answer, so that a provider never waits. Closing the server waits for them, and begins no
 * look-up of a payment. Returns a function that waits for the webhooks answered so far.
 */
export function serveInbound(server: FastifyInstance, app: App): () => Promise<void> {
  const underWay = new Set<Promise<void>>();
  const applied = async (): Promise<void> => void (await Promise.all(underWay));
  server.addHook('preClose', async () => closeLookUps(app));
  server.addHook('onClose', applied);
  void server.register(async (scope) => {
    // Signatures cover the bytes of the body, whatever its content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    const take = <Received>(path: string, receiveAt: Receive<Received>, apply: Apply<Received>) =>
      scope.post<{ Params: { token: string } }>(path, async (request, reply) => {
        const received = await receive(app, request, () => receiveAt(app, deliveredIn(request)));
        if ('status' in received) return refuseRequest(request, reply, received);
        if (!received.ok) {
          const [refusal] = received.refusals;
          return refusal === 'not_found'
            ? reply.callNotFound()
            : refuseRequest(request, reply, REFUSED[refusal]);
        }
        // The answer ends the span of the request.
        const applying = tracedAfter(traceparent(), { name: 'apply webhook' }, () =>
          apply(app, received.value),
        );
        const work = applying.finally(() => underWay.delete(work));
        underWay.add(work);
        return { status: 'received' };
      });
    take('/webhooks/:token', receiveWebhook, applyWebhook);
    scope.get<{ Params: { token: string } }>('/webhooks/:token', async (request, reply) => {
      const proof = await proveAddress(app, { token: request.params.token, query: queryOf(request) });
      return proof === null ? reply.callNotFound() : reply.type('text/plain; charset=utf-8').send(proof);
    });
    take('/webhooks/anti-fraud/:token', receiveReview, applyReceivedReviews);
  });
  return applied;
}

/** Stores the content of a webhook and returns the new part. */
type Receive<Received> = (
  app: App,
  delivered: DeliveredWebhook,
) => Promise<Result<Received, 'not_found' | keyof typeof REFUSED>>;

/** Applies new content. Never throws. */
type Apply<Received> = (app: App, received: Received) => Promise<void>;

/** Applies the notices of a webhook, and asks the provider about the payments that the webhook only names. */
async function applyWebhook(app: App, { stored, lookUps }: ReceivedWebhook): Promise<void> {
  await Promise.all([applyReceived(app, stored), lookUpPayments(app, lookUps)]);
}

const REFUSED = {
  bad_signature: {
    status: 401,
    code: 'UNAUTHENTICATED',
    message: 'The signature is not valid for this service.',
  },
  untrusted_certificate: {
    status: 401,
    code: 'UNAUTHENTICATED',
    message: 'The certificate of the signature has no valid chain to a trusted authority.',
  },
  unreadable: { status: 400, code: 'BAD_REQUEST', message: 'The body is not a webhook of this provider.' },
  unavailable: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: "The provider's key could not be fetched. Send the webhook again.",
  },
  unserved: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The connector of this service is not installed. Send the webhook again.',
  },
} as const satisfies Readonly<Record<string, Refused>>;

const UNAVAILABLE: Refused = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'The webhook could not be stored. Send the webhook again.',
};

/** Returns a webhook as received. */
function deliveredIn(request: FastifyRequest<{ Params: { token: string } }>): DeliveredWebhook {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { token: request.params.token, headers, rawBody };
}

/** Returns the parameters of an address, each once. */
const queryOf = ({ url }: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(url, 'http://localhost').searchParams);

/** Returns the refusal if the webhook could not be stored. The provider must send it again. */
async function receive<Received extends object>(
  app: App,
  request: Pick<FastifyRequest, 'id'>,
  store: () => Promise<Received>,
): Promise<Received | Refused> {
  try {
    return await store();
  } catch (error) {
    const moved = await refusalOfMovedWebhook(app, error);
    if (moved) return moved;
    app.log.error({ requestId: request.id, error: describeError(error) }, 'A webhook could not be stored.');
    return UNAVAILABLE;
  }
}
