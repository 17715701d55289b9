import { setTimeout } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import type { Config } from '../process/config.ts';
import { VERSION } from '../process/version.ts';

/** The parts of the configuration that tracing reads. */
export type TracingSettings = Pick<
  Config,
  | 'PAYGRAPH_TRACES_URL'
  | 'PAYGRAPH_TRACES_HEADERS'
  | 'PAYGRAPH_TRACES_PERCENT'
  | 'PAYGRAPH_ROLES'
  | 'production'
>;

/** The most spans that wait for the collector. Further spans are dropped. */
const WAITING_MAX = 8_192;

/** The longest wait for the last spans at the stop, in milliseconds. */
const LAST_BATCH_MS = 2_000;

/** The most spans of one request to the collector. */
const BATCH_MAX = 512;

/**
 * Sends traces to a collector by OTLP over HTTP, if one is configured. Without one, loads nothing. A collector that is away costs
 * its spans and nothing else.
 *
 * A share of the traces that begin here is recorded. All parts of a recorded trace are recorded, in every process. Returns a function
 * that sends the rest, for a moment at most, and ends.
 */
export async function startTracing(config: TracingSettings, instance: string): Promise<() => Promise<void>> {
  const {
    PAYGRAPH_TRACES_URL: url,
    PAYGRAPH_TRACES_HEADERS: headers,
    PAYGRAPH_TRACES_PERCENT: percent,
  } = config;
  if (url === undefined) return async () => undefined;
  const [
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    exporter,
    { resourceFromAttributes },
    sdk,
  ] = await Promise.all([
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'paygraph',
      'service.version': VERSION,
      'service.instance.id': instance,
      'deployment.environment.name': config.production ? 'production' : 'sandbox',
      'paygraph.roles': [...config.PAYGRAPH_ROLES],
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({ url, headers }),
        maxQueueSize: WAITING_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: 10_000,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    // A collector that is away must neither fail nor hold up the stop.
    const sent = provider.shutdown().catch(() => undefined);
    await Promise.race([sent, setTimeout(LAST_BATCH_MS, undefined, { ref: false })]);
    trace.disable();
    propagation.disable();
    context.disable();
  };
}
