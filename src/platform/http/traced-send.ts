import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { runningSpan, traced, traceparent } from '../tracing/trace.ts';
import type { HttpRequest } from './request.ts';

type End = { readonly reply: { readonly status: number } } | { readonly failure: { readonly kind: string } };

type Send<Ended> = (request: HttpRequest) => Promise<Ended>;

/** Sends each request as a part of the running trace. The peer gets the place in the trace as the header `traceparent`. */
export const tracedSend =
  <Ended extends End>(send: Send<Ended>): Send<Ended> =>
  (request) => {
    if (!runningSpan()) return send(request);
    const { method, pool } = request;
    const attributes = {
      'http.request.method': method,
      'server.address': URL.parse(request.url)?.hostname ?? '',
      'paygraph.pool': pool,
    };
    return traced({ name: method, kind: SpanKind.CLIENT, attributes }, async () => {
      const headers = { ...request.headers, traceparent: traceparent() ?? '' };
      const end = await send({ ...request, headers });
      describe(end);
      return end;
    });
  };

function describe(end: End): void {
  const span = runningSpan();
  if ('reply' in end) {
    span?.setAttribute('http.response.status_code', end.reply.status);
    if (end.reply.status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
  } else {
    span?.setAttribute('error.type', end.failure.kind).setStatus({ code: SpanStatusCode.ERROR });
  }
}
