import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphContext } from '../../graph/context.ts';
import { mediaTypeFor, RESPONSE_JSON } from '../replies.ts';

/**
 * Sets the status of GraphQL over HTTP for an operation that cannot run: 400 in `application/graphql-response+json`,
 * 200 in `application/json`. A plain 400 may come from anything between client and server. Apollo answers 400 in both.
 */
export const statusCodes: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response }) => {
      if (!request.http || response.body.kind !== 'single') return;
      const mediaType = mediaTypeFor(request.http.headers.get('accept'));
      const codes = response.body.singleResult.errors?.map(({ extensions }) => extensions?.['code']) ?? [];
      if (mediaType === RESPONSE_JSON) response.http.headers.set('content-type', mediaType);
      else if (response.http.status === 400 && !codes.includes('BAD_REQUEST')) response.http.status = 200;
    },
  }),
};
