import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startTestServer, type TestServer } from '../support/server.ts';

const PATH = '/.well-known/jwks.json';

describe('the public keys of tokens', () => {
  let server: TestServer;
  beforeAll(async () => {
    const secret = 'a secret of at least 32 characters, for routers';
    server = await startTestServer({
      settings: { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: secret },
    });
  });
  afterAll(() => server.stop());

  it('are open to a router, which verifies a token and reads its scopes from the standard claim', async () => {
    const keys = createRemoteJWKSet(new URL(PATH, server.url));

    const { payload } = await jwtVerify(await server.mint(), keys);

    const scopes = String(payload['scope']).split(' ');
    expect(scopes).toEqual(
      expect.arrayContaining(['transactions.read', 'payment-links.write', 'audit.read']),
    );
    expect(scopes.filter((scope) => scope.startsWith('*'))).toEqual([]);
  });

  it('may stay in a cache for a minute', async () => {
    const { status, headers } = await fetch(server.url + PATH);

    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
  });
});

it('the public keys of tokens are served only beside subgraphs', async () => {
  const server = await startTestServer();
  const { status } = await fetch(server.url + PATH);
  await server.stop();

  expect(status).toBe(404);
});
