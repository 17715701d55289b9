import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpClient, type HttpClient } from '../../src/platform/http/http-client.ts';
import { issueChain, type TestChain } from '../support/certificates.ts';

const HOST = 'shop.test';
const HOUR_MS = 3_600_000;
const TRUSTED = tls.getCACertificates('default');

const names: (string | false)[] = [];
let chain: TestChain;
let port: number;
let server: ReturnType<typeof createServer>;
let http: HttpClient;

beforeAll(async () => {
  const now = Date.now();
  chain = issueChain(HOST, { from: new Date(now - HOUR_MS), until: new Date(now + HOUR_MS) });
  server = createServer(
    { cert: chain.leaf + chain.intermediate, key: chain.leafKey.export({ type: 'pkcs8', format: 'pem' }) },
    (_, response) => response.end('here'),
  );
  server.on('secureConnection', (socket) => void names.push(socket.servername ?? false));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  // Every name is this machine.
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
  http = createHttpClient({ allowedNetworks: ['127.0.0.0/8'], allowInsecureHttp: false, resolve });
});
afterEach(() => {
  http.close();
  names.splice(0);
  tls.setDefaultCACertificates(TRUSTED);
});
afterAll(async () => {
  await new Promise((closed) => server.close(closed));
});

const send = (host: string) =>
  http.send({
    ...{ method: 'GET', url: `https://${host}:${port}/`, headers: {}, pool: host },
    ...{ deadlineMs: 30_000, replyBytesMax: 1_000 },
  });

describe('an encrypted request', () => {
  it('names its host to the server, and trusts a certificate of that name', async () => {
    tls.setDefaultCACertificates([chain.root]);

    expect(await send(HOST)).toMatchObject({ reply: { status: 200, body: 'here' } });
    expect(names).toEqual([HOST]);
  });

  it('sends nothing to a server with the certificate of another name', async () => {
    tls.setDefaultCACertificates([chain.root]);

    expect(await send('other.test')).toMatchObject({ failure: { kind: 'tls', sent: false } });
  });

  it('sends nothing to a server with a certificate of an unknown authority', async () => {
    expect(await send(HOST)).toMatchObject({ failure: { kind: 'tls', sent: false } });
  });
});
