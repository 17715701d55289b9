import { brotliCompress, constants, gzip, type CompressCallback } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The smallest answer that is compressed, in bytes. A smaller one fits into one packet anyway. */
const BYTES_MIN = 1_024;

/** Answers of the API. A page holds both a secret and texts of others, so its compressed length would tell the secret. */
const JSON_TYPES = /^application\/(?:graphql-response\+|problem\+)?json\b/;

/** By preference. At these levels, the compression of a list costs less than its execution. Node compresses in other threads. */
const ENCODINGS: Readonly<Record<string, (text: string, done: CompressCallback) => void>> = {
  br: (text, done) => brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  gzip: (text, done) => gzip(text, { level: 5 }, done),
};
const NAMES = Object.keys(ENCODINGS);

/** Compresses large answers of the API for callers that accept brotli or gzip. Leaves pages, streams and files as they are. */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isLargeJson(reply, payload)) return done(null, payload);
    void reply.header('vary', 'accept-encoding');
    const accepted = request.headers['accept-encoding'];
    const name = accepted === undefined ? null : negotiate(accepted, NAMES);
    const compress = name === null ? undefined : ENCODINGS[name];
    if (!compress) return done(null, payload);
    void reply.header('content-encoding', name).removeHeader('content-length');
    compress(payload, done);
  });
}

const isLargeJson = (reply: FastifyReply, payload: unknown): payload is string =>
  typeof payload === 'string' &&
  payload.length >= BYTES_MIN &&
  !reply.hasHeader('content-encoding') &&
  JSON_TYPES.test(String(reply.getHeader('content-type')));
