import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { listPublicKeys } from '../../modules/accounts/index.ts';

/**
 * Serves the public keys of tokens at `GET /.well-known/jwks.json`, for a router that verifies tokens itself. Public keys are no
 * secret, so the address needs no token. A router may accept the tokens of a disabled key until its cache expires. The subgraphs
 * refuse such tokens.
 */
export function serveKeys(server: FastifyInstance, app: App): void {
  server.get('/.well-known/jwks.json', async (_request, reply) => {
    const keys = JSON.stringify(await listPublicKeys(app));
    return reply
      .headers({ 'content-type': 'application/jwk-set+json', 'cache-control': 'public, max-age=60' })
      .send(keys);
  });
}
