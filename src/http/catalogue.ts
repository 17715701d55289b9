import type { FastifyInstance } from 'fastify';
import type { App } from '../app.ts';
import { asyncApiDocument, eventCatalogue, PAYLOAD_VERSION } from '../modules/event-log/index.ts';

/**
 * Serves the catalogue of events for tools, without a token, because it holds nothing of a merchant:
 *
 * - `/events/catalogue.json`: each event with its meaning, the JSON Schema of its payload and an example
 * - `/asyncapi.json`: the same as an AsyncAPI 3 document
 */
export function serveCatalogue(server: FastifyInstance, app: App): void {
  const catalogue = JSON.stringify({ version: PAYLOAD_VERSION, events: eventCatalogue() });
  server.get('/events/catalogue.json', async (_request, reply) =>
    reply.headers(JSON_HEADERS).send(catalogue),
  );
  // The public address may become known only after the start.
  server.get('/asyncapi.json', async (_request, reply) =>
    reply.headers(JSON_HEADERS).send(JSON.stringify(asyncApiDocument(new URL(app.publicUrl)))),
  );
}

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=300',
} as const;
