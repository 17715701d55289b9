import type { AddressInfo } from 'node:net';
import { fastify, type FastifyError, type FastifyInstance } from 'fastify';
import type { App } from '../app.ts';
import { isUnavailable } from '../platform/database/database-faults.ts';
import { describeError } from '../platform/describe-error.ts';
import type { Config } from '../platform/process/config.ts';
import { refusalOfMove } from './answers/account-away.ts';
import { refuseRequest } from './answers/error-body.ts';
import { faultMessage } from './answers/errors.ts';
import { protect } from './answers/headers.ts';
import { requestIdOf } from './answers/request-id.ts';
import { BODY_BYTES_MAX, refusedByTransport } from './answers/replies.ts';
import { refuseAddress, refuseBytes } from './answers/unreadable.ts';
import { refuseForeignHosts } from './hosts.ts';
import { answerUnavailable } from './pages/unavailable-page.ts';

/** The time for the headers and for a whole request, and the time between two looks for late requests. */
const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, checkMs: 1_000 };

export type Timeouts = typeof TIMEOUTS;

export type ServerOptions = {
  /** The message of the 404 at an address that nothing serves. */
  readonly nothingHere: string;
  readonly timeouts?: Timeouts | undefined;
};

/** Creates a server without routes. It has the limits, the headers, the host check and the refusals of every process. */
export function createServer(app: App, { nothingHere, timeouts = TIMEOUTS }: ServerOptions): FastifyInstance {
  const server = fastify({
    genReqId: requestIdOf(app),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: app.config.PAYGRAPH_TRUSTED_PROXIES.length > 0 && [...app.config.PAYGRAPH_TRUSTED_PROXIES],
    // Limits for a whole request and for an idle connection.
    requestTimeout: timeouts.requestMs,
    connectionTimeout: 90_000,
    // Node looks for late requests only every 30 seconds by default, and gives headers a minute.
    http: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    frameworkErrors: refuseAddress(app),
    clientErrorHandler: refuseBytes(app),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // The drain answers requests that were on their way. No balancer may repeat a payment.
    return503OnClosing: false,
  });
  server.removeContentTypeParser('text/plain');
  protect(server, app.publicUrl);
  refuseForeignHosts(server, app);
  server.setNotFoundHandler((request, reply) =>
    refuseRequest(request, reply, { status: 404, code: 'NOT_FOUND', message: nothingHere }),
  );
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const refused = refusedByTransport(error);
    if (refused) return refuseRequest(request, reply, refused);
    const moved = refusalOfMove(error);
    if (moved?.status === 503) return answerUnavailable(request, reply, moved);
    if (moved) return refuseRequest(request, reply, moved);
    app.log.error({ requestId: request.id, error: describeError(error) }, 'A request failed.');
    if (isUnavailable(error)) return answerUnavailable(request, reply);
    return refuseRequest(request, reply, {
      status: 500,
      code: 'INTERNAL_SERVER_ERROR',
      message: faultMessage(request.id),
    });
  });
  return server;
}

/**
 * The connections that the kernel keeps until the process takes them. Others try again after seconds, and the kernel resets some. Node's
 * default of 511 is one burst of callers at a busy process. Linux allows at most `net.core.somaxconn`, by default 4096.
 */
const WAITING_CONNECTIONS = 4_096;

/** Listens on the configured address. Rejects when that is impossible. */
export async function listenOn(
  server: FastifyInstance,
  { HOST: host, PORT }: Config,
): Promise<{ readonly url: string; readonly port: number }> {
  await server.listen({ host, port: PORT, backlog: WAITING_CONNECTIONS });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}
