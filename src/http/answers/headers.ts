import type { FastifyInstance } from 'fastify';

/**
 * Headers of every reply: nothing is stored, sniffed, framed or run. A page that needs more sets its own policy first.
 */
export function protect(server: FastifyInstance, publicUrl: string): void {
  const headers = protectiveHeaders(publicUrl);
  // Without a promise, because each reply passes here.
  server.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    for (const [name, value] of headers) if (!reply.hasHeader(name)) void reply.header(name, value);
    done(null, payload);
  });
}

/** Returns the headers of every reply, also of a reply before any route. */
export function protectiveHeaders(publicUrl: string): readonly (readonly [string, string])[] {
  return [
    ['x-content-type-options', 'nosniff'],
    ['cache-control', 'no-store'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-resource-policy', 'same-origin'],
    // Sent only if browsers use TLS. Browsers ignore the header over plain HTTP.
    ...(publicUrl.startsWith('https:') ? [['strict-transport-security', 'max-age=31536000'] as const] : []),
  ];
}
