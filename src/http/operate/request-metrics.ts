import type { FastifyInstance, FastifyReply } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { atEnd, methodOf } from './request-end.ts';

/**
 * Measures requests by the names and in the buckets of OpenTelemetry. The route is the pattern of the path, and empty where nothing
 * is served, so callers add no label. The status is empty when the caller hung up before an answer.
 */
export function measureHttp(server: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers: [registry],
  });
  atEnd(server, (request, reply, status) => {
    if (isStream(reply)) return;
    const labels = {
      http_request_method: methodOf(request.method),
      http_route: request.routeOptions.url ?? '',
      http_response_status_code: status ?? '',
    };
    durations.observe(labels, reply.elapsedTime / 1_000);
  });
}

/** An event stream ends with its reader, so its duration says nothing about the service. */
const isStream = (reply: FastifyReply): boolean =>
  String(reply.raw.getHeader('content-type')).startsWith('text/event-stream');
