import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    settings: { PAYGRAPH_PUBLIC_URL: 'https://pay.example.com', PAYGRAPH_ALLOWED_HOSTS: 'pay.internal' },
  });
});
afterAll(() => server.stop());

/** Fetches a path with this host header. `fetch` would set its own. */
async function fetchAs(host: string, path = '/docs'): Promise<{ status: number | undefined; body: string }> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${server.url}${path}`, { headers: { host } }, resolve).on('error', reject),
  );
  return { status: reply.statusCode, body: await text(reply) };
}

const port = (): string => new URL(server.url).port;

const OURS = [
  () => 'pay.example.com',
  () => 'PAY.example.com:443',
  () => 'pay.internal:4000',
  () => `localhost:${port()}`,
  () => `127.0.0.1:${port()}`,
  () => '[::1]',
];
const FOREIGN = ['evil.example', 'pay.example.com.evil.example', '10.0.0.1', '0.0.0.0', 'a b'];

describe('a request', () => {
  it.each(OURS)('that names this server is answered (%#)', async (host) => {
    expect((await fetchAs(host())).status).toBe(200);
  });

  it.each(FOREIGN)('that names the host "%s" is refused', async (host) => {
    const { status, body } = await fetchAs(host);
    // Node itself refuses a header that is no host.
    expect([400, 421]).toContain(status);
    if (status === 421)
      expect(JSON.parse(body)).toMatchObject({ type: 'error', status, reason: 'misdirected_request' });
  });

  it('of a probe may name any host', async () => {
    expect((await fetchAs('10.1.2.3:4000', '/ready')).status).toBe(200);
  });
});

describe('a websocket', () => {
  const opens = (host: string): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        headers: { host },
      });
      socket.on('open', () => {
        socket.close();
        resolve(101);
      });
      socket.on('unexpected-response', (_request, reply) => resolve(reply.statusCode ?? 0));
      socket.on('error', () => undefined);
    });

  it('opens for a host of this server only', async () => {
    expect(await opens('pay.example.com')).toBe(101);
    expect(await opens('evil.example')).toBe(421);
  });
});
