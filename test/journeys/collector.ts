import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

/** A span as OTLP sends it in JSON. The moments are nanoseconds. */
type Sent = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly links?: readonly { readonly traceId: string }[];
};

type Batch = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Sent[] }[] }[];
};

/** A span with its attributes by name. */
export type CollectedSpan = Omit<Sent, 'attributes'> & { readonly attributes: ReadonlyMap<string, unknown> };

/** A collector of traces: real HTTP, and OTLP as JSON. */
export type Collector = {
  readonly url: string;
  spans(): readonly CollectedSpan[];
  /** Waits for the first span that fits. */
  find(fits: (span: CollectedSpan) => boolean, what: string): Promise<CollectedSpan>;
  /** Everything received, as text. */
  text(): string;
  close(): Promise<void>;
};

export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver();
  receiver.answer(200);
  const spans = (): readonly CollectedSpan[] =>
    receiver.received
      .flatMap(({ body }) => (JSON.parse(body) as Batch).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      .map((span) => ({
        ...span,
        attributes: new Map(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      }));
  return {
    url: `${receiver.url}v1/traces`,
    spans,
    find: async (fits, what) => {
      await until(() => spans().some(fits), what);
      const [found] = spans().filter(fits);
      if (!found) throw new Error(`No span: ${what}.`);
      return found;
    },
    text: () => receiver.received.map(({ headers, body }) => JSON.stringify(headers) + body).join('\n'),
    close: () => receiver.close(),
  };
}
