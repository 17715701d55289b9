import { pino, type Logger } from 'pino';
import { runningSpan } from './tracing/trace.ts';

/** A structured log. Log named fields only. A whole request, input or provider error may hold secrets. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  child(fields: Record<string, string>): Log;
};

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Creates a log of JSON lines on standard error. Standard output is for the output of commands. */
export const createLog = (level: LogLevel): Log =>
  pino({ level, base: null, mixin: traceFields }, pino.destination(2));

/** The trace that a line belongs to, by the names of OpenTelemetry. */
function traceFields(): object {
  const span = runningSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
