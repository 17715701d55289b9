import type { ApolloServerPlugin } from '@apollo/server';
import { OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import type { GraphContext } from '../../graph/context.ts';
import { mediaTypeFor, RESPONSE_JSON } from '../answers/replies.ts';
import { isMovingAnswer } from '../answers/account-away.ts';
import { isUnavailableAnswer, ofMutation, RETRY_HEADERS } from '../answers/unavailable.ts';

/** The status and the headers of an answer. Without a status, 200. */
export type Head = {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Returns the status of GraphQL over HTTP: 400 for an operation that cannot run in `application/graphql-response+json`,
 * and 200 in `application/json`. A plain 400 may come from anything between client and server.
 *
 * An answer without a database has the status 503 in both, with `Retry-After`. Clients and proxies retry that status.
 */
export function headOf({
  errors = [],
  status,
  mediaType,
}: {
  readonly errors: readonly GraphQLFormattedError[] | undefined;
  readonly status: number | undefined;
  readonly mediaType: string;
}): Head {
  if (errors.some((error) => isUnavailableAnswer(error) || isMovingAnswer(error)))
    return { status: 503, headers: RETRY_HEADERS };
  const isForeign = errors.some(({ extensions }) => extensions?.['code'] === 'BAD_REQUEST');
  return { status: status === 400 && mediaType !== RESPONSE_JSON && !isForeign ? 200 : status, headers: {} };
}

/** Gives Apollo's answers the status of `headOf`. Apollo itself answers 400 in both media types. */
export const statusCodes: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response, operation }) => {
      if (!request.http || response.body.kind !== 'single') return;
      const { singleResult } = response.body;
      const mediaType = mediaTypeFor(request.http.headers.get('accept'));
      const { errors } = singleResult;
      const { status, headers } = headOf({ errors, status: response.http.status, mediaType });
      if (status !== undefined) response.http.status = status;
      for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value);
      if (operation?.operation === OperationTypeNode.MUTATION && errors)
        singleResult.errors = errors.map(ofMutation);
      if (mediaType === RESPONSE_JSON) response.http.headers.set('content-type', mediaType);
    },
  }),
};
