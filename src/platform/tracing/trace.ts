import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
} from '@opentelemetry/api';

// The only use of OpenTelemetry's API, apart from the start of the SDK. Without the SDK no span is recorded, and each function
// here only runs what it is given.

/** Looked up each time, because a stop takes the tracer away. */
const tracer = () => trace.getTracer('paygraph');

/** A part of a trace. The name and the attributes hold no value that a caller or a provider gave. */
export type Part = {
  /** A name from a small set, such as `claim_capture`. */
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
};

/** Returns the running span. Null outside of a recorded trace. */
export function runningSpan(): Span | null {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : null;
}

/** Returns the place in the running trace as the header `traceparent` has it. Null outside of a recorded trace. */
export function traceparent(): string | null {
  const span = runningSpan();
  if (!span) return null;
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}

/** Runs a part of the running trace. Its failure marks the span, without the message. */
export function traced<Value>(part: Part, run: () => Promise<Value>): Promise<Value> {
  return runningSpan() ? within(begin(part, context.active()), run) : run();
}

/**
 * Runs a part of the trace of an earlier change. `traceparent` returned `parent` at that change, in any process.
 * Null runs without a span.
 */
export function tracedAfter<Value>(
  parent: string | null,
  part: Part,
  run: () => Promise<Value>,
): Promise<Value> {
  if (parent === null) return run();
  const span = begin(part, placeOf(parent));
  return span.isRecording() ? within(span, run) : run();
}

/** Runs work as a trace of its own. */
export function tracedAlone<Value>(part: Part, run: () => Promise<Value>): Promise<Value> {
  const span = begin(part, ROOT_CONTEXT);
  return span.isRecording() ? within(span, run) : run();
}

/** Adds a part that is over, between two moments, to the running trace. */
export function tracedBetween(part: Part, from: Date, until: Date): void {
  if (runningSpan())
    tracer()
      .startSpan(part.name, { ...part, startTime: from }, context.active())
      .end(until);
}

/** Begins the trace of a request. Goes on with the trace that the request names in its header `traceparent`. */
export const beginTrace = (part: Part, header: string | undefined): Span =>
  begin(part, header === undefined ? ROOT_CONTEXT : placeOf(header));

/** Runs a function in the trace of a span that others end. */
export const runIn = <Value>(span: Span, run: () => Value): Value =>
  context.with(trace.setSpan(context.active(), span), run);

/** Runs work outside of any trace, such as an answer that lasts for hours. */
export const untraced = <Value>(run: () => Value): Value => context.with(ROOT_CONTEXT, run);

/** Links the running span to the trace of an earlier change, such as the one that a webhook is about. */
export function linkTo(parent: string | null | undefined): void {
  const linked = parent ? trace.getSpanContext(placeOf(parent)) : undefined;
  if (linked) runningSpan()?.addLink({ context: linked });
}

const begin = ({ name, kind, attributes }: Part, place: Context): Span =>
  tracer().startSpan(name, { ...(kind !== undefined && { kind }), ...(attributes && { attributes }) }, place);

const placeOf = (header: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent: header });

async function within<Value>(span: Span, run: () => Promise<Value>): Promise<Value> {
  try {
    return await runIn(span, run);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
