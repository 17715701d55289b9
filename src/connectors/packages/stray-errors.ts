import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../../platform/log.ts';

/** The connector whose code runs. */
const running = new AsyncLocalStorage<string>();

/** Runs the code of a connector. Errors that the code throws later, beside its answer, then have its name. */
export const runAs = <Answer>(connectorId: string, run: () => Answer): Answer =>
  running.run(connectorId, run);

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
    const name = error instanceof Error ? error.name : typeof error;
    if (connector !== undefined)
      return log.error({ connector, error: name }, 'The connector threw an exception beside its answer.');
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', judge);
  process.on('unhandledRejection', judge);
}
