import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { App } from '../../app.ts';
import { safeMessage } from '../../graph/safe-message.ts';
import { describeError } from '../../platform/describe-error.ts';
import { isTimedOut, isUnavailable } from '../../platform/database/database-faults.ts';
import { refusalOfMove } from './account-away.ts';
import { requestIds } from './request-id.ts';
import { RETRY_HEADERS, UNAVAILABLE, UNAVAILABLE_MESSAGE } from './unavailable.ts';

/** Shows an error to the caller. HTTP and websockets share the function, with either executor. */
export type PresentError = (error: GraphQLError) => GraphQLFormattedError;

/**
 * Creates the function that presents errors. Expected errors keep their code, and their message without any value that
 * the caller sent. An error without a database has
 * the code `UNAVAILABLE`. Any other error is a fault of the service. The fault is logged once, without query and
 * variables, and the caller gets a request id.
 */
export const createErrorPresenter =
  (app: Pick<App, 'log'>): PresentError =>
  (error) => {
    const code = codeOf(error);
    if (code === null) return maskError(app, error);
    const { http: _, stacktrace: __, ...extensions } = error.extensions;
    return {
      message: safeMessage(error),
      ...placeOf(error),
      extensions: { ...extensions, code },
    };
  };

/** Returns the code of an error for the caller. Null for a fault of the service. */
function codeOf(error: GraphQLError): string | null {
  const { code } = error.extensions;
  // A thrown error is expected only as a GraphQLError, because errors of libraries may carry codes too.
  const thrown = error.path !== undefined && error.originalError !== undefined;
  if (thrown && !(error.originalError instanceof GraphQLError)) return null;
  if (typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR') return code;
  return REFUSED_INPUT.test(error.message) ? 'BAD_USER_INPUT' : null;
}

/**
 * Messages of graphql-js without a code: refused variables (five, then a last message), and null arguments found during
 * execution.
 */
const REFUSED_INPUT = /^(?:Variable "\$|Argument "|Too many errors processing variables)/;

function maskError(app: Pick<App, 'log'>, error: GraphQLError): GraphQLFormattedError {
  const requestId = requestIds.getStore() ?? 'unknown';
  const moved = refusalOfMove(error.originalError);
  if (moved) {
    const { code, message, extensions } = moved;
    const retryAfterSeconds = Number(RETRY_HEADERS['retry-after']);
    return { message, ...placeOf(error), extensions: { code, requestId, retryAfterSeconds, ...extensions } };
  }
  if (isUnavailable(error.originalError)) {
    app.log.error({ requestId, error: describeError(error.originalError) }, 'The database was unavailable.');
    const retryAfterSeconds = Number(RETRY_HEADERS['retry-after']);
    return {
      message: UNAVAILABLE_MESSAGE,
      ...placeOf(error),
      extensions: { code: UNAVAILABLE, requestId, retryAfterSeconds },
    };
  }
  if (isTimedOut(error.originalError)) {
    app.log.warn({ requestId }, 'A read took too long.');
    return { message: TIMED_OUT, ...placeOf(error), extensions: { code: 'QUERY_TIMED_OUT', requestId } };
  }
  app.log.error({ requestId, error: describeError(error.originalError ?? error) }, 'A request failed.');
  return {
    message: faultMessage(requestId),
    ...placeOf(error),
    extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
  };
}

const TIMED_OUT =
  'The database ended this read after the time of PAYGRAPH_READ_TIMEOUT_MS. Narrow the read: a shorter time range, an exact identifier instead of a search, or a smaller page.';

/** Returns the message for a fault of the service. */
export const faultMessage = (requestId: string): string =>
  `Something went wrong here. Ask the operator about request ${requestId}.`;

const placeOf = ({ locations, path }: GraphQLError): Pick<GraphQLFormattedError, 'locations' | 'path'> => ({
  ...(locations && { locations }),
  ...(path && { path }),
});
