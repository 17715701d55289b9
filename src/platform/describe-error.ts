import { errorCode } from './error-code.ts';

/** An error as it may be logged. */
export type DescribedError = {
  readonly name: string;
  /** A database's or a system's code, for example `23505`. */
  readonly code?: string;
  readonly message: string;
  /** The place of the error: stack frames without the message. */
  readonly frames: readonly string[];
};

/**
 * Describes an error for the log without any value that a caller sent. Keeps the name, the code, one line of the
 * message without digits and quoted texts, and the stack frames. Several errors in one have the code of the first, and the
 * messages of all. Nothing else of the error is read.
 */
export function describeError(thrown: unknown): DescribedError {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: 'Not an error object.', frames: [] };
  const reasons = reasonsOf(thrown);
  const code = [thrown, ...reasons].map(errorCode).find((each) => each !== null);
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: thrown.name,
    ...(code !== undefined && { code }),
    message: [...new Set(reasons.map(({ message }) => withoutValues(lastLine(message))))]
      .join('; ')
      .slice(0, MESSAGE_MAX),
    frames: frames.slice(0, FRAMES_MAX).map((line) => line.trim()),
  };
}

const FRAMES_MAX = 20;
const MESSAGE_MAX = 300;

/** Returns the errors inside an error, such as one for each host of a database. Any other error is its own reason. */
function reasonsOf(thrown: Error): readonly Error[] {
  if (!(thrown instanceof AggregateError)) return [thrown];
  const inner = thrown.errors.filter((each): each is Error => each instanceof Error);
  return inner.length === 0 ? [thrown] : inner.flatMap(reasonsOf);
}

/** Prisma prints the whole call with its values first and the reason in the last line. */
const lastLine = (message: string): string => message.trim().split('\n').at(-1) ?? '';

/** Removes values from a sentence. Postgres, JSON and Prisma quote them in double quotes. Card numbers are runs of digits. */
export const withoutValues = (text: string): string =>
  text
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\d(?:[ -]?\d){5,}/g, '…')
    .slice(0, MESSAGE_MAX);
