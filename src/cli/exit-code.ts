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
  /** Ctrl-C ended the command before its work was done. */
  interrupted: 130,
} as const;

/** A wrong word on the command line. The message says what to write. Exit code 2. */
export class UsageError extends OperatorError {}

/** Returns the exit code of a command that ended with an error. */
export const exitCodeOf = (error: unknown): number =>
  error instanceof UsageError || error instanceof ConfigError ? EXIT.usage : EXIT.failed;
