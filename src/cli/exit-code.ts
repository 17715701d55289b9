import { ConfigError } from '../platform/process/config.ts';
import { OperatorError } from '../platform/operator-error.ts';

/** The exit codes of every command. The page about the command line lists them. */
export const EXIT = {
  /** The command did its work. */
  done: 0,
  /** The command failed, or found a fault. */
  failed: 1,
  /** The words or the settings are wrong. Nothing was done. */
  usage: 2,
  /** A dry run found that the command would change something. Nothing was done. */
  differs: 3,
  /** The service, or an option, refused the rules of a file. */
  refused: 4,
  /** Ctrl-C ended the command before its work was done. */
  interrupted: 130,
} as const;

/** A wrong word on the command line. The message says what to write. Exit code 2. */
export class UsageError extends OperatorError {}

/** Rules that may not be used. The message says why. Exit code 4. */
export class RefusedError extends OperatorError {}

/** Returns the exit code of a command that ended with an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof RefusedError) return EXIT.refused;
  return error instanceof UsageError || error instanceof ConfigError ? EXIT.usage : EXIT.failed;
}
