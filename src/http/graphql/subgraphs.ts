import type { FastifyInstance, FastifyReply } from 'fastify';
import { Kind, OperationTypeNode, parse, type SelectionNode } from 'graphql';
import type { App, Viewer } from '../../app.ts';
import { createContext } from '../../graph/context.ts';
import { admit, requestedBy, type Exchange } from '../admission.ts';
import { ROUTER_SECRET, type IsRouter } from '../authentication/router-secret.ts';
import type { EventStreams } from './event-stream.ts';
import { answer, type ServedGraph } from './serve.ts';
import type { Budgets } from '../limits/budgets.ts';
import { sendRefusal } from '../answers/replies.ts';

export type SubgraphsSettings = {
  /** The subgraphs by name. */
  readonly subgraphs: ReadonlyMap<string, ServedGraph>;
  readonly isRouter: IsRouter;
  readonly budgets: Budgets;
  readonly streams: EventStreams;
};

/**
 * Serves each subgraph at `POST /subgraphs/<name>` for a router that shows the secret. Others get 404. The router
 * passes on the caller's token and merchant account. Only the SDL needs neither. Each request counts in the budget of its
 * merchant account.
 */
export function serveSubgraphs(server: FastifyInstance, app: App, settings: SubgraphsSettings): void {
  const { subgraphs, isRouter } = settings;
  server.post<{ Params: { name: string } }>('/subgraphs/:name', {
    onRequest: async (request, reply) => {
      if (!isRouter(request.headers[ROUTER_SECRET])) return reply.callNotFound();
    },
    handler: async (request, reply) => {
      const graph = subgraphs.get(request.params.name);
      if (!graph) return reply.callNotFound();
      if (request.headers.authorization === undefined && asksForSdl(request.body)) {
        const context = createContext(app, NOBODY, { requestId: request.id });
        return answer({ apollo: graph.apollo, request, reply, context });
      }
      return answerCaller(app, graph, settings, { request, reply });
    },
  });
}

async function answerCaller(
  app: App,
  { apollo, operations }: ServedGraph,
  { budgets, streams }: SubgraphsSettings,
  { request, reply }: Pick<Exchange, 'request' | 'reply'>,
): Promise<FastifyReply> {
  const admission = await admit(app, { budgets, request, reply });
  if ('refused' in admission) return sendRefusal(request, reply, admission.refused);
  const { viewer } = admission;
  const requested = requestedBy(viewer, { budgets, request, reply });
  return (
    streams.answer(request, reply, { viewer, requested, operations }) ??
    answer({ apollo, request, reply, context: createContext(app, viewer, requested) })
  );
}

/** The viewer of a router without a caller, who has no rights. */
const NOBODY: Viewer = {
  merchantAccountId: '',
  scopes: [],
  apiKeyPairId: '',
  reachableMerchantAccountIds: [''],
  tokenExpiresAt: new Date(0),
};

/** Tells whether the operation selects only `_service` and `__typename`, directly at the root. */
function asksForSdl(body: unknown): boolean {
  const query = typeof body === 'object' && body !== null && 'query' in body ? body.query : null;
  if (typeof query !== 'string' || query.length > SDL_QUERY_CHARACTERS_MAX) return false;
  try {
    const { definitions } = parse(query);
    const [only] = definitions;
    return (
      definitions.length === 1 &&
      only?.kind === Kind.OPERATION_DEFINITION &&
      only.operation === OperationTypeNode.QUERY &&
      only.selectionSet.selections.every(isOpen)
    );
  } catch {
    // Not a document: it is refused like any other invalid operation.
    return false;
  }
}

const isOpen = (selection: SelectionNode): boolean =>
  selection.kind === Kind.FIELD && ['_service', '__typename'].includes(selection.name.value);

const SDL_QUERY_CHARACTERS_MAX = 500;
