/** An error as it may be logged. */
export type DescribedError = {
  readonly name: string;
  /** A database's or a system's code, for example `23505`. */
  readonly code?: string;
  readonly message: string;
  /** Where it happened: stack frames without the message. */
  readonly frames: readonly string[];
};

/**
 * Picks from an error what tells its cause and cannot hold what a caller sent: name, code, one line of the message
 * with digits and quoted texts taken out, and stack frames. Nothing else of the error is looked at.
 */
export function describeError(thrown: unknown): DescribedError {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: 'Not an error object.', frames: [] };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {};
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: thrown.name,
    ...code,
    message: withoutValues(lastLine(thrown.message)),
    frames: frames.slice(0, FRAMES_MAX).map((line) => line.trim()),
  };
}

const FRAMES_MAX = 20;

/** Prisma prints the whole call with its values first and the reason in the last line. */
const lastLine = (message: string): string => message.trim().split('\n').at(-1) ?? '';

/** Postgres, JSON and Prisma quote values in double quotes; card numbers are runs of digits. */
const withoutValues = (text: string): string =>
  text
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\d(?:[ -]?\d){5,}/g, '…')
    .slice(0, 300);
