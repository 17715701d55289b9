import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApolloServer } from '@apollo/server';
import type { FastifyInstance } from 'fastify';
import { Kind, OperationTypeNode, parse, type SelectionNode } from 'graphql';
import type { App, Viewer } from '../../app.ts';
import { createContext, type GraphContext } from '../../graph/context.ts';
import { authenticate } from '../authentication/authenticate.ts';
import { credentialsOfHeaders, refusedCredentials } from '../authentication/credentials.ts';
import { answer, countRequest, requestedBy } from './serve.ts';
import type { Budgets } from '../budgets.ts';
import { sendRefusal } from '../replies.ts';

/**
 * Serves each subgraph at `POST /subgraphs/<name>` for a router that shows the secret. Others get 404. The router
 * passes on the caller's token and merchant account. Only the SDL needs neither. Each request counts in the budget of its
 * merchant account.
 */
export function serveSubgraphs(
  server: FastifyInstance,
  app: App,
  subgraphs: ReadonlyMap<string, ApolloServer<GraphContext>>,
  budgets: Budgets,
): void {
  const secret = app.config.PAYGRAPH_ROUTER_SECRET;
  if (!secret) throw new Error('Subgraphs are served without a router secret.');
  const isRouter = compareWith(secret);
  server.post<{ Params: { name: string } }>('/subgraphs/:name', {
    onRequest: async (request, reply) => {
      if (!isRouter(request.headers['x-router-secret'])) return reply.callNotFound();
    },
    handler: async (request, reply) => {
      const apollo = subgraphs.get(request.params.name);
      if (!apollo) return reply.callNotFound();
      const credentials = credentialsOfHeaders(request.headers);
      if (credentials.authorization === undefined && asksForSdl(request.body)) {
        return answer({
          apollo,
          request,
          reply,
          context: createContext(app, NOBODY, { requestId: request.id }),
        });
      }
      const known = await authenticate(app, credentials, request.ip);
      if ('refusal' in known) return sendRefusal(request, reply, refusedCredentials(known, credentials));
      const overBudget = countRequest(budgets, reply, known.viewer.merchantAccountId);
      if (overBudget) return sendRefusal(request, reply, overBudget);
      const requested = requestedBy(known.viewer, { budgets, request, reply });
      const context = createContext(app, known.viewer, requested);
      return answer({ apollo, request, reply, context });
    },
  });
}

/** Compares digests, so that neither the length nor the first wrong character shows in the time taken. */
function compareWith(secret: string): (given: unknown) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (given) => typeof given === 'string' && timingSafeEqual(digest(given), expected);
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
