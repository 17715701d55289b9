/**
 * Returns true if an error says that the database is away, takes no writes, or has no connection left. The same request
 * can succeed later.
 */
export const isUnavailable = (error: unknown): boolean =>
  someCause(error, ({ code, message }) => UNAVAILABLE_CODES.test(code) || UNAVAILABLE_MESSAGES.test(message));

/** Returns true if Postgres ended a statement because of `statement_timeout`. */
export const isTimedOut = (error: unknown): boolean => someCause(error, ({ code }) => code === '57014');

/** Returns true if the disk of the database is full. */
export const isDiskFull = (error: unknown): boolean =>
  someCause(error, ({ code, message }) => code === '53100' || code === '53400' || NO_SPACE.test(message));

/** Returns true if the database takes no writes, such as a standby. */
export const isReadOnly = (error: unknown): boolean => someCause(error, ({ code }) => code === '25006');

/** Returns true if an error or its cause has a code of Postgres. */
export const hasCode = (error: unknown, wanted: string): boolean =>
  someCause(error, ({ code }) => code === wanted);

const NO_SPACE = /No space left on device/;

/**
 * Codes of Postgres, of the system and of Prisma.
 *
 * - `08…` connection lost, `57P0…` shut down, `53…` no connection, disk or memory left, `25006` read only, `58030` disk
 *   fault
 * - `P1…` database away, `P2024` and `P2028` no connection for a query or a transaction
 */
const UNAVAILABLE_CODES =
  /^(?:08\w{3}|57P0[123]|53[123]00|25006|58030|E(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|PIPE|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOTFOUND)|P100[128]|P1017|P2024|P2028)$/;

/** Messages without a code of their own. The connection is lost, or no connection is left. */
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable|Client is closed|database "[^"]*" is not currently accepting connections)/;

type Fault = { readonly code: string; readonly message: string };

/** Looks at an error and its causes. Prisma wraps the driver's error, and Node lists the errors of several addresses. */
function someCause(error: unknown, test: (fault: Fault) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > CAUSES_MAX) return false;
  const { code, originalCode, message, cause, meta, driverAdapterError, errors } = error as Partial<
    Record<string, unknown>
  >;
  const said = asText(message);
  if ([code, originalCode].some((each) => test({ code: asText(each), message: said }))) return true;
  const inner: readonly unknown[] = [
    cause,
    meta,
    driverAdapterError,
    ...(Array.isArray(errors) ? (errors as unknown[]) : []),
  ];
  return inner.some((each) => someCause(each, test, depth + 1));
}

const CAUSES_MAX = 5;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
