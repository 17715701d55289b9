import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import type { Graph } from '../../graph/schema.ts';
import { describeRest, type OpenApi } from './openapi.ts';

/**
 * Serves the description of the REST paths at `/openapi.json`. Tools read it without a token, because it holds nothing of a
 * merchant.
 */
export function serveDescription(scope: FastifyInstance, app: App, graph: Graph): void {
  let described: { readonly url: string; readonly document: OpenApi; readonly json: string } | undefined;
  // The public address may become known only after the start.
  const describe = () => {
    const url = app.publicUrl;
    if (described?.url === url) return described;
    const document = describeRest(graph, url, app.config.PAYGRAPH_REST_PATH ?? '');
    described = { url, document, json: JSON.stringify(document) };
    return described;
  };
  scope.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(describe().json),
  );
}
