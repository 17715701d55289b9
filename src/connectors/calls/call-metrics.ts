import { Counter, Histogram, type Metric } from 'prom-client';
import type { HttpSender } from '../../platform/http/reply.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { UnknownCause } from '../interface/outcome.ts';

/** The part of a call's context that its measure needs. */
export type MeasuredContext = Pick<CallContext, 'http'> & { readonly definition: { readonly id: string } };

type CallMetrics = {
  readonly durations: Histogram<'definition' | 'verb'>;
  readonly failures: Counter<'definition' | 'verb' | 'cause'>;
};

/** All calls of a process go through its HTTP client, so the client finds the metrics of the process. */
const ofClients = new WeakMap<HttpSender, CallMetrics>();

function metricsOf(client: HttpSender): CallMetrics {
  const metrics = ofClients.get(client) ?? createMetrics();
  ofClients.set(client, metrics);
  return metrics;
}

const createMetrics = (): CallMetrics => ({
  durations: new Histogram({
    name: 'paygraph_provider_call_duration_seconds',
    help: 'Time of a call to a provider, with its answer or without, by definition and verb.',
    labelNames: ['definition', 'verb'],
    // Providers answer within some hundred milliseconds. The deadline of most is ten seconds.
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
    registers: [],
  }),
  failures: new Counter({
    name: 'paygraph_provider_call_failures_total',
    help: 'Calls to a provider without an answer that tells the outcome, by definition, verb and cause.',
    labelNames: ['definition', 'verb', 'cause'],
    registers: [],
  }),
});

/** Measures a call that has ended. A refusal by the provider is an answer and no failure. */
export function measureCall(
  { http, definition }: MeasuredContext,
  verb: string,
  { tookMs, cause }: { readonly tookMs: number; readonly cause: UnknownCause | null },
): void {
  const { durations, failures } = metricsOf(http);
  durations.observe({ definition: definition.id, verb }, tookMs / 1000);
  if (cause !== null) failures.inc({ definition: definition.id, verb, cause });
}

/** Returns the metrics of the calls that this process made. */
export const callMetrics = (http: HttpSender): readonly Metric[] => Object.values(metricsOf(http));
