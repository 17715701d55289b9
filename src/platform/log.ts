import { pino, type Logger, type LoggerOptions } from 'pino';
import { describeError, withoutValues, type DescribedError } from './describe-error.ts';
import { runningSpan } from './tracing/trace.ts';

/** A structured log. Log named fields only. A whole request, input or provider error may hold secrets. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Creates a log of JSON lines on standard error. Standard output is for the output of commands. */
export const createLog = (level: LogLevel): Log => pino({ ...FORM, level }, pino.destination(2));

/** The form of a line. */
export const FORM: LoggerOptions = {
  base: null,
  mixin: traceFields,
  formatters: { log: (fields) => named(fields) },
};

/** The trace that a line belongs to, by the names of OpenTelemetry. */
function traceFields(): object {
  const span = runningSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** The names of ids in a line, which are those of the same ids in a span. */
const IDS: Readonly<Record<string, string>> = {
  requestId: 'paygraph.request.id',
  merchantAccountId: 'paygraph.merchant_account.id',
};

/** Names ids and errors by the conventions of OpenTelemetry. */
function named({ err, error = err, ...fields }: Record<string, unknown>): Record<string, unknown> {
  const renamed = Object.entries(fields).map(([name, value]) => [IDS[name] ?? name, value] as const);
  return { ...Object.fromEntries(renamed), ...(error !== undefined && exceptionOf(error)) };
}

/** Describes an error by the fields of an exception. The error may be thrown, described, or its name or reason alone. */
function exceptionOf(error: unknown): Record<string, unknown> {
  if (typeof error === 'string')
    return /^\w*Error$/.test(error)
      ? { 'exception.type': error }
      : { 'exception.message': withoutValues(error) };
  const { name, code, message, frames } = isDescribed(error) ? error : describeError(error);
  return {
    'exception.type': name,
    'exception.message': message,
    ...(frames.length > 0 && { 'exception.stacktrace': frames.join('\n') }),
    ...(code !== undefined && { 'error.type': code }),
  };
}

const isDescribed = (error: unknown): error is DescribedError =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'frames' in error;
