import { pino, type Logger } from 'pino';

/** Structured log. Log named fields only, never a whole request, input or error of a provider: they may hold secrets. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & {
  child(fields: Record<string, string>): Log;
};

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** JSON lines on standard error, so that standard output stays for what a person asked for. */
export const createLog = (level: LogLevel): Log => pino({ level, base: null }, pino.destination(2));
