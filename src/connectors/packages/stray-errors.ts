import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../../platform/log.ts';

/** The connector, or the package, whose code runs. */
const running = new AsyncLocalStorage<string>();

/** Runs the code of a connector or a package. Errors that the code throws later, beside its answer, then have its name. */
export const runAs = <Answer>(name: string, run: () => Answer): Answer => running.run(name, run);

/** Runs code of Paygraph that a connector calls. Its stray errors are no connector's. */
export const runAsHouse = <Answer>(run: () => Answer): Answer => running.exit(run);

let isWatching = false;

/**
 * Keeps the process alive after an error that a connector threw beside its answer, such as in a timer. Any other uncaught
 * error ends the process, as Node does by itself.
 */
export function surviveStrayErrors(log: Log): void {
  if (isWatching) return;
  isWatching = true;
  const judge = (error: unknown): void => {
    const connector = running.getStore();
    if (connector !== undefined)
      return log.error(
        { connector, error: nameOf(error), frames: framesOf(error) },
        'The connector threw an exception beside its answer.',
      );
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', judge);
  process.on('unhandledRejection', judge);
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const FRAMES_MAX = 10;

/** Returns the places of the code. The message may hold data that was sent. */
const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '')
        .replace(error.message, '')
        .split('\n')
        .filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line))
        .slice(0, FRAMES_MAX)
        .map((line) => line.trim())
    : [];
