import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { App } from '../app.ts';
import { safeMessage } from '../graph/safe-message.ts';
import { describeError } from './describe-error.ts';
import { requestIds } from './request-id.ts';

/** Shows an error to the caller. One function for HTTP and websockets, whichever executor ran. */
export type PresentError = (error: GraphQLError) => GraphQLFormattedError;

/**
 * Expected errors keep their code, and their message without any value that the caller sent. Everything else is a fault
 * of ours: it is logged once, without query and variables, and the caller gets a request id to ask with.
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

/** The code of an error that the caller may see; null for a fault of ours. */
function codeOf(error: GraphQLError): string | null {
  const { code } = error.extensions;
  // An error that a resolver threw is expected only when it was made as one: a library's error may carry a code too.
  const thrown = error.path !== undefined && error.originalError !== undefined;
  if (thrown && !(error.originalError instanceof GraphQLError)) return null;
  if (typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR') return code;
  return REFUSED_INPUT.test(error.message) ? 'BAD_USER_INPUT' : null;
}

/** graphql-js gives no code to variables that it refuses (five of them, then it stops and says so), nor to a null for an argument that it finds while executing. */
const REFUSED_INPUT = /^(?:Variable "\$|Argument "|Too many errors processing variables)/;

function maskError(app: Pick<App, 'log'>, error: GraphQLError): GraphQLFormattedError {
  const requestId = requestIds.getStore() ?? 'unknown';
  app.log.error({ requestId, error: describeError(error.originalError ?? error) }, 'A request failed.');
  return {
    message: faultMessage(requestId),
    ...placeOf(error),
    extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
  };
}

/** What a caller is told of a fault of ours. */
export const faultMessage = (requestId: string): string =>
  `Something went wrong here. Ask the operator about request ${requestId}.`;

const placeOf = ({ locations, path }: GraphQLError): Pick<GraphQLFormattedError, 'locations' | 'path'> => ({
  ...(locations && { locations }),
  ...(path && { path }),
});
