import type { FastifyInstance } from 'fastify';
import { sendPage } from '../pages/page.ts';
import { docPage, missingPage, searchPage } from './layout.ts';
import { readLibrary, type Library } from './library.ts';
import { QUERY_MAX, searchPages } from './search.ts';

/**
 * Serves the documentation at `/docs`, with a search at `/docs/search?q=`. The pages need no script. An unknown address is 404
 * in the same look, and an address that ends in `.md` leads to its page.
 */
export function serveDocs(server: FastifyInstance): void {
  server.get('/docs', async (_request, reply) => {
    const library = await open();
    const page = library.pages.get('/docs');
    return sendPage(reply, page ? docPage(library, page) : missingPage(library));
  });
  server.get<{ Querystring: { q?: unknown } }>('/docs/search', async (request, reply) => {
    const library = await open();
    const { q } = request.query;
    const query = typeof q === 'string' ? q.slice(0, QUERY_MAX).trim() : '';
    return sendPage(reply, searchPage(library, query, searchPages(library.pages.values(), query)));
  });
  server.get<{ Params: { name: string } }>('/docs/images/:name', async (request, reply) => {
    const library = await open();
    const image = library.images.get(request.params.name);
    return image ? reply.type('image/png').send(image) : sendPage(reply, missingPage(library));
  });
  server.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const library = await open();
    const wanted = request.params['*'].replace(/\/$/, '');
    const name = wanted.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
    const address = name === '' ? '/docs' : `/docs/${name}`;
    const page = library.pages.get(address);
    if (!page) return sendPage(reply, missingPage(library));
    if (name !== request.params['*']) return reply.redirect(address, 301);
    return sendPage(reply, docPage(library, page));
  });
}

/** The pages are read for the first request, not at start. */
let library: Promise<Library> | undefined;

const open = (): Promise<Library> => (library ??= readLibrary());
