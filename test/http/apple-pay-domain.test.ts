import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { serveApplePayDomain } from '../../src/http/apple-pay-domain.ts';
import { startTestServer } from '../support/server.ts';

const PATH = '/.well-known/apple-developer-merchantid-domain-association';

it('serves the file with which Apple verifies the domain', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-apple-'));
  const file = join(folder, 'association');
  await writeFile(file, '7B227073704964223A2239');
  const server = await startTestServer({ settings: { PAYGRAPH_APPLE_PAY_DOMAIN_FILE: file } });
  const reply = await fetch(server.url + PATH, { redirect: 'error' });
  const text = await reply.text();
  await Promise.all([server.stop(), rm(folder, { recursive: true })]);

  expect([reply.status, reply.headers.get('content-type'), text]).toEqual([
    200,
    'text/plain; charset=utf-8',
    '7B227073704964223A2239',
  ]);
});

it('serves no such file without the setting', async () => {
  const server = await startTestServer();
  const { status } = await fetch(server.url + PATH);
  await server.stop();

  expect(status).toBe(404);
});

it('refuses a file that cannot be read, before the server listens', () => {
  const settings = { PAYGRAPH_APPLE_PAY_DOMAIN_FILE: '/no/such/file' };

  expect(() => serveApplePayDomain(fastify(), settings)).toThrow(
    'The file of PAYGRAPH_APPLE_PAY_DOMAIN_FILE cannot be read.',
  );
});
