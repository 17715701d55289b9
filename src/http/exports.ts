import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { App } from '../app.ts';
import { openDownload, type Export } from '../modules/exports/index.ts';
import { refuseRequest } from './answers/error-body.ts';
import type { Refused } from './answers/replies.ts';

/**
 * Serves `GET` and `HEAD /exports/<id>/<token>`: the file of an export, for everybody who has the link.
 * - 200: the file, piece by piece, as fast as the client reads
 * - 404: no such file, or the signature is wrong
 * - 410: the link or the file has expired
 *
 * No link is ever logged. No cache stores the file.
 */
export function serveExports(server: FastifyInstance, app: App): void {
  server.route<{ Params: { id: string; token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/exports/:id/:token',
    handler: async (request, reply) => {
      const { id, token } = request.params;
      const download = await openDownload(app, id, token);
      if (download.kind !== 'file') return refuseRequest(request, reply, REFUSED[download.kind]);
      void reply.headers({
        'content-type': MEDIA_TYPES[download.export.format],
        'content-length': download.export.bytes,
        'content-disposition': `attachment; filename="${fileNameOf(download.export)}"`,
      });
      if (request.method === 'HEAD') return reply.send();
      return reply.send(Readable.from(download.pieces(), { objectMode: false }));
    },
  });
}

const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const satisfies Record<Export['format'], string>;

const REFUSED = {
  not_found: {
    status: 404,
    code: 'NOT_FOUND',
    message: 'There is no such file. Query downloadUrl for a link.',
  },
  expired: {
    status: 410,
    code: 'LINK_EXPIRED',
    message: 'The link has expired. Query downloadUrl for another. A removed file needs a new export.',
  },
} as const satisfies Readonly<Record<string, Refused>>;

/** Names the file by its records and the moment of the request. */
const fileNameOf = ({ type, format, createdAt }: Export): string =>
  `${type.replace('_', '-')}-${createdAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.${format}`;
