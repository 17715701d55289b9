import type { FastifyRequest } from 'fastify';

/** True if a browser prefetches the page. The buyer has not opened the page yet. */
export const isPrefetch = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'].some((name) =>
    /\b(prefetch|prerender|preview)\b/.test(String(headers[name] ?? '')),
  );
