import { pino, type Logger } from 'pino';

/** A structured log. Log named fields only. A whole request, input or provider error may hold secrets. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  child(fields: Record<string, string>): Log;
};

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** Creates a log of JSON lines on standard error. Standard output is for the output of commands. */
export const createLog = (level: LogLevel): Log => pino({ level, base: null }, pino.destination(2));
