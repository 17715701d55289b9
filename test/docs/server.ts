import { fastify } from 'fastify';
import { serveDocs } from '../../src/http/docs/serve.ts';
import { protect } from '../../src/http/answers/headers.ts';

/** The documentation alone on a free port, without a database. */
export type DocsServer = { readonly url: string; close(): Promise<void> };

/** Serves the documentation alone. */
export async function startDocsServer(): Promise<DocsServer> {
  const server = fastify();
  protect(server, 'http://127.0.0.1');
  serveDocs(server);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => server.close() };
}
