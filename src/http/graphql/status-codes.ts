import type { ApolloServerPlugin } from '@apollo/server';
import { OperationTypeNode } from 'graphql';
import type { GraphContext } from '../../graph/context.ts';
import { mediaTypeFor, RESPONSE_JSON } from '../replies.ts';
import { isUnavailableAnswer, ofMutation, RETRY_HEADERS } from '../unavailable.ts';

/**
 * Sets the status of GraphQL over HTTP for an operation that cannot run: 400 in `application/graphql-response+json`,
 * 200 in `application/json`. A plain 400 may come from anything between client and server. Apollo answers 400 in both.
 *
 * An answer without a database has the status 503 in both, with `Retry-After`. Clients and proxies retry that status.
 */
export const statusCodes: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response, operation }) => {
      if (!request.http || response.body.kind !== 'single') return;
      const { singleResult } = response.body;
      if (singleResult.errors?.some(isUnavailableAnswer)) {
        response.http.status = 503;
        for (const [name, value] of Object.entries(RETRY_HEADERS)) response.http.headers.set(name, value);
        if (operation?.operation === OperationTypeNode.MUTATION)
          singleResult.errors = singleResult.errors.map(ofMutation);
      }
      const mediaType = mediaTypeFor(request.http.headers.get('accept'));
      const codes = singleResult.errors?.map(({ extensions }) => extensions?.['code']) ?? [];
      if (mediaType === RESPONSE_JSON) response.http.headers.set('content-type', mediaType);
      else if (response.http.status === 400 && !codes.includes('BAD_REQUEST')) response.http.status = 200;
    },
  }),
};
