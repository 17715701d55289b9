import { randomInt } from 'node:crypto';
import { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../platform/process/config.ts';
import { beginTrace, runIn, runningSpan } from '../../platform/tracing/trace.ts';
import { admittedAccount } from '../admission.ts';
import { PROBES, shownName, type Observe } from './observed.ts';
import { methodOf } from './request-end.ts';

/** The place of the span on a request of a recorded trace. */
const SPAN = Symbol('span');

type Traced = FastifyRequest & { [SPAN]?: Span };

/**
 * Gives each request a span, within the trace of its header `traceparent`. The span has the pattern of the path and no path, because
 * a path may hold a token. Without a collector, no hook runs.
 *
 * A share of the traces that callers record is recorded here. Their ids say nothing about the share, since a caller chooses them.
 */
export function traceRequests(server: FastifyInstance, config: Config): void {
  const { PAYGRAPH_TRACES_URL: url, PAYGRAPH_TRACES_PERCENT: percent } = config;
  if (url === undefined) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions } = request;
    const caller = textOf(headers['traceparent']);
    const route = routeOptions.url ?? 'none';
    if (PROBES.has(route) || (caller !== undefined && !isChosen(percent))) return done();
    const attributes = {
      'http.request.method': methodOf(method),
      'http.route': route,
      'paygraph.request.id': request.id,
    };
    const part = { name: `${method} ${route}`, kind: SpanKind.SERVER, attributes };
    const span = beginTrace(part, caller);
    if (!span.isRecording()) return done();
    (request as Traced)[SPAN] = span;
    // A broken connection closes the answer, too.
    reply.raw.once('close', () => {
      const { statusCode, headersSent } = reply.raw;
      const account = admittedAccount(request);
      if (account !== null) span.setAttribute('paygraph.merchant_account.id', account);
      if (!headersSent || statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      if (headersSent) span.setAttribute('http.response.status_code', statusCode);
      else span.setAttribute('error.type', 'connection_lost');
      span.end();
    });
    return runIn(span, done);
  });
  // The reading of a body loses the span.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = (request as Traced)[SPAN];
    return span ? runIn(span, done) : done();
  });
}

/** Returns the trace of a request as fields of a line of the log. */
export function traceOf(request: FastifyRequest): { readonly trace_id?: string; readonly span_id?: string } {
  const span = (request as Traced)[SPAN]?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** Names the operation of the running span. The caller chose the name, so long runs of digits are left out. */
export const traceOperation: Observe = ({ kind, name, failed }) => {
  const shown = shownName(name);
  runningSpan()?.setAttributes({
    'graphql.operation.type': kind,
    ...(shown !== null && { 'graphql.operation.name': shown }),
    ...(failed && { 'paygraph.failed': true }),
  });
};

const isChosen = (percent: number): boolean => randomInt(100) < percent;

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
