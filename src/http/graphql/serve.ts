import { HeaderMap, type ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { mayChange } from '../../graph/reading.ts';
import { tellPosition } from '../answers/position.ts';
import { createContext, type GraphContext } from '../../graph/context.ts';
import { admit, keepViewer, requestedBy, viewerOf } from '../admission.ts';
import type { Served } from './apollo.ts';
import { EVENT_STREAM, eventsOf, takesOnlyEvents, type EventStreams } from './event-stream.ts';
import type { Budgets } from '../limits/budgets.ts';
import type { Operations } from '../operations/operations.ts';
import { sessionOf } from '../authentication/session-cookie.ts';
import { sendRefusal } from '../answers/replies.ts';
import { requestIds } from '../answers/request-id.ts';

/** A graph and the runner of its subscriptions. */
export type ServedGraph = Served & { readonly operations: Operations };

export type GraphqlSettings = {
  readonly graph: ServedGraph;
  readonly budgets: Budgets;
  readonly streams: EventStreams;
};

/** Serves the whole graph at `/graphql`. A caller without a valid token is refused before its body is read. */
export function serveGraphql(
  server: FastifyInstance,
  app: App,
  { graph: { apollo, frequent, operations }, budgets, streams }: GraphqlSettings,
): void {
  server.all('/graphql', {
    onRequest: async (request, reply) => {
      const admission = await admit(app, { budgets, request, reply }, sessionOf(app, request));
      if ('refused' in admission) return sendRefusal(request, reply, admission.refused);
      keepViewer(request, admission.viewer);
    },
    handler: (request, reply) => {
      const viewer = viewerOf(request);
      const requested = requestedBy(viewer, { budgets, request, reply });
      if (frequent.answer(request, reply, { app, viewer, requested })) return undefined;
      return (
        streams.answer(request, reply, { viewer, requested, operations }) ??
        answer({ apollo, request, reply, context: createContext(app, viewer, requested) })
      );
    },
  });
}

type Answer = {
  readonly apollo: ApolloServer<GraphContext>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly context: GraphContext;
};

/** Hands a request to Apollo and its answer back, as events for a caller who takes nothing else. */
export async function answer({ apollo, request, reply, context }: Answer): Promise<FastifyReply> {
  const { method, body, url } = request;
  const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const headers = headersOf(request);
  const inEvents = takesOnlyEvents(request.headers.accept);
  // Apollo knows no events.
  if (inEvents) headers.set('accept', 'application/json');
  const httpGraphQLRequest = { method, body, search, headers };
  const response = await requestIds.run(request.id, () =>
    apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context }),
  );
  if (response.body.kind !== 'complete') throw new Error('Incremental delivery is not offered.');
  for (const [name, value] of response.headers) void reply.header(name, value);
  if (mayChange(context)) await tellPosition(context.app, reply);
  if (inEvents && (response.status ?? 200) === 200)
    return reply.type(EVENT_STREAM).send(eventsOf(response.body.string));
  return reply.code(response.status ?? 200).send(response.body.string);
}

function headersOf(request: FastifyRequest): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}
