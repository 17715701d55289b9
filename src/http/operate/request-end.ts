import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The methods that the conventions of OpenTelemetry know. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'],
]);

/** Returns the method of a request by the conventions of OpenTelemetry. A caller can invent others. */
export const methodOf = (method: string): string => (KNOWN.has(method) ? method : '_OTHER');

/** Receives a request that has ended. The status is null when the caller hung up before an answer. */
type Ended = (request: FastifyRequest, reply: FastifyReply, status: number | null) => void;

/** Does something at the end of each request, also when the caller has hung up. The hook `onResponse` does not see such a request. */
export function atEnd(server: FastifyInstance, ended: Ended): void {
  const run = (request: FastifyRequest, reply: FastifyReply): void =>
    ended(request, reply, reply.raw.headersSent ? reply.statusCode : null);
  server.addHook('onResponse', (request, reply, done) => {
    run(request, reply);
    done();
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) run(request, reply);
    });
    done();
  });
}
