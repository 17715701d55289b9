import type { FastifyInstance } from 'fastify';
import type { App } from '../../../app.ts';
import type { Graph } from '../../../graph/schema.ts';
import { sendPage, type Page } from '../../pages/page.ts';
import { describeRest } from './openapi.ts';
import { describePage } from './page.ts';

/**
 * Serves the description of the REST paths: `/openapi.json` for tools, and the page `/openapi` for people. Both need no token,
 * because they hold nothing of a merchant.
 */
export function serveDescription(scope: FastifyInstance, app: App, graph: Graph): void {
  const prefix = app.config.PAYGRAPH_REST_PATH ?? '';
  let made: Described | undefined;
  // The public address may become known only after the start.
  const described = (): Described => {
    const url = app.publicUrl;
    if (made?.url === url) return made;
    const api = describeRest(app, graph, { url, prefix });
    made = { url, json: JSON.stringify(api), page: describePage(api, prefix) };
    return made;
  };
  scope.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(described().json),
  );
  scope.get('/openapi', async (_request, reply) => sendPage(reply, described().page));
}

type Described = { readonly url: string; readonly json: string; readonly page: Page };
