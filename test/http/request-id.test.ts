import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { requestIdOf } from '../../src/http/answers/request-id.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const UUID = /^[0-9a-f-]{36}$/;

const sent = async (id: string) =>
  (await fetch(`${server.url}/health`, { headers: { 'x-request-id': id } })).headers.get('x-request-id');

it.each(['order-1', 'Root=1-67891233-abcdef012345678912345678', '0af7651916cd43dd8448eb211c80319c'])(
  "keeps the caller's own id %s",
  async (id) => expect(await sent(id)).toBe(id),
);

it.each([
  ['a card number', '4111111111111111'],
  ['a card number in groups', '4111-1111-1111-1111'],
  ['a text', 'my request'],
  ['an id that is too long', 'x'.repeat(129)],
])('makes an id of its own instead of %s', async (_, id) => expect(await sent(id)).toMatch(UUID));

it('makes an id of its own for a request with several', () => {
  const ids = { uuid: () => 'own', random: (size: number) => Buffer.alloc(size) };

  expect(requestIdOf({ ids })({ headers: {} })).toBe('own');
  expect(requestIdOf({ ids })({ headers: { 'x-request-id': ['a', 'b'] } })).toBe('own');
  expect(requestIdOf({ ids })({ headers: { 'x-request-id': 'a, b' } })).toBe('own');
});

it('names the id in a problem', async () => {
  const answer = await fetch(`${server.url}/payment-links`, {
    headers: { 'x-request-id': 'shop/order-1', accept: 'application/problem+json' },
  });

  expect(await answer.json()).toMatchObject({ instance: '#shop%2Forder-1' });
});
