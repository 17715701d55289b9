import type { GraphQLFormattedError } from 'graphql';
import type { Refused } from './replies.ts';

/** The code of an answer without a database. The same request can succeed later. */
export const UNAVAILABLE = 'UNAVAILABLE';

/** The pause before the next try, in seconds. A database that fails over takes longer, and is asked again. */
const RETRY_AFTER_SECONDS = 2;

/** The headers of each answer with the code `UNAVAILABLE`. */
export const RETRY_HEADERS = { 'retry-after': String(RETRY_AFTER_SECONDS) } as const;

export const UNAVAILABLE_MESSAGE =
  'The database cannot be reached, or has no connection left. Try again in a few seconds.';

/** The refusal of a request that never became an operation. Nothing has begun. */
export const UNAVAILABLE_REFUSAL: Refused = {
  status: 503,
  code: UNAVAILABLE,
  message: UNAVAILABLE_MESSAGE,
  headers: RETRY_HEADERS,
};

/** True if an error of an answer says that the database was away. */
export const isUnavailableAnswer = ({ extensions }: Pick<GraphQLFormattedError, 'extensions'>): boolean =>
  extensions?.['code'] === UNAVAILABLE;

/** Adds to an error of a mutation that the mutation may have begun. Returns any other error unchanged. */
export const ofMutation = (error: GraphQLFormattedError): GraphQLFormattedError =>
  isUnavailableAnswer(error) ? { ...error, message: `${UNAVAILABLE_MESSAGE} ${MAY_HAVE_BEGUN}` } : error;

const MAY_HAVE_BEGUN =
  'The mutation may have begun: send it again with the same idempotencyKey, and the answer is its result. Without a key, look its record up first.';
