import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CARDS, startHarness, type Harness, type Payload, type Service } from './harness.ts';

let harness: Harness;
let provider: Server;
let reply: { status: number; body: string; before?: () => Promise<unknown> };
const asked: { body: unknown; authorization: string | undefined }[] = [];
beforeAll(async () => {
  harness = await startHarness();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization } = request.headers;
    asked.push({ body: await json(request), authorization });
    const { status, body, before } = reply;
    await before?.();
    response.writeHead(status).end(body);
  };
  provider = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  provider.close();
  await harness.stop();
});

const url = (): string => `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
const withKey = (apiKey: string, apiUrl?: string) => ({
  fields: [
    { key: 'merchant_id', value: 'm-1' },
    { key: 'api_key', value: apiKey },
    ...(apiUrl === undefined ? [] : [{ key: 'api_url', value: apiUrl }]),
  ],
});

async function verify(id: string): Promise<Payload> {
  const { body } = await harness.server.graphql<{ answer: Payload }>(
    `mutation ($id: ID!) { answer: verifyPaymentService(id: $id) {
      paymentService { id status statusReason statusCheckedAt } userErrors { code message path } } }`,
    { id },
  );
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.answer;
}

const UNCHECKED = { status: 'CREATED', statusReason: null, statusCheckedAt: null };
const made = (fields: object): Promise<Service> => harness.made({ ...CARDS, ...fields });

describe('the check of credentials', () => {
  it('runs at creation, and accepted credentials make the service active', async () => {
    expect(await made(withKey('a good key'))).toMatchObject({
      status: 'ACTIVE',
      statusReason: null,
      statusCheckedAt: expect.stringMatching(/^20/),
    });
  });

  it('makes a service with refused credentials fail, with the reason', async () => {
    expect(await made(withKey('invalid key'))).toMatchObject({
      status: 'FAILED',
      statusReason: 'Simulated invalid_service_credentials',
    });
  });

  it('leaves a service pending when the provider does not answer', async () => {
    expect(await made(withKey('silent key'))).toMatchObject({
      status: 'PENDING',
      statusReason: 'The provider did not answer: unreadable.',
    });
  });

  it('leaves a service without a key unchecked', async () => {
    expect(await harness.made()).toMatchObject(UNCHECKED);
  });

  it('asks the merchant’s own simulator, and removes the credentials from its words', async () => {
    reply = { status: 200, body: JSON.stringify({ result: 'refused', message: 'No key topsecret-7 here' }) };

    const service = await made(withKey('topsecret-7', url()));

    expect(service).toMatchObject({ status: 'FAILED', statusReason: 'No key … here' });
    expect(asked.at(-1)).toEqual({ body: { operation: 'verify' }, authorization: 'Bearer topsecret-7' });
  });

  it('answers a repeated creation with the stored result', async () => {
    const input = { ...withKey('a good key'), displayName: 'Repeated' };
    const first = await harness.create(input, 'verify-once');

    expect(first.paymentService).toMatchObject({ status: 'ACTIVE' });
    expect(await harness.create(input, 'verify-once')).toEqual({ ...first, replayed: true });
  });

  it('runs after a change of the credentials, and not after another change', async () => {
    const { id, statusCheckedAt } = await made(withKey('a good key'));
    const renamed = await harness.update(id, { displayName: 'Other' });
    const changed = await harness.update(id, { fields: [{ key: 'api_key', value: 'invalid now' }] });

    expect(renamed.paymentService).toMatchObject({ status: 'ACTIVE', statusCheckedAt });
    expect(changed.paymentService).toMatchObject({ status: 'FAILED' });
  });

  it('runs on request, and a provider that came back makes the service active', async () => {
    reply = { status: 500, body: '' };
    const { id, status } = await made(withKey('a good key', url()));
    reply = { status: 200, body: '{"result":"accepted"}' };

    expect(status).toBe('PENDING');
    expect((await verify(id)).paymentService).toMatchObject({ id, status: 'ACTIVE', statusReason: null });
    expect(await harness.get(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('asks again when the credentials change during the call', async () => {
    reply = { status: 200, body: '{"result":"accepted"}' };
    const { id } = await made(withKey('a good key', url()));
    let changes = 0;
    const before = async (): Promise<void> => {
      changes += 1;
      if (changes > 1) return;
      await harness.update(id, { displayName: 'Changed meanwhile' });
      reply = { status: 200, body: '{"result":"refused","message":"Too late"}' };
    };
    reply = { ...reply, before };
    await verify(id);

    expect(await harness.get(id)).toMatchObject({
      displayName: 'Changed meanwhile',
      status: 'FAILED',
      statusReason: 'Too late',
    });
  });

  it.each(['mock-gift-card', 'mock-push'])('is refused for %s, which has none', async (definitionId) => {
    const { id } = await harness.made({ paymentServiceDefinitionId: definitionId });

    expect(await verify(id)).toMatchObject({
      paymentService: null,
      userErrors: [{ code: 'INVALID_INPUT', path: ['id'], message: expect.stringMatching(/no check/) }],
    });
  });

  it('finds neither a deleted service nor one of another merchant account', async () => {
    const { id } = await harness.made();
    await harness.delete(id);
    const other = await (await harness.rival()).made();

    for (const each of [id, other.id])
      expect(await verify(each)).toMatchObject({ paymentService: null, userErrors: [{ code: 'NOT_FOUND' }] });
  });
});

describe('a service with refused credentials', () => {
  it('takes no payment, and the refusal says why', async () => {
    const { id } = await made(withKey('invalid key'));
    const { body } = await harness.server.graphql<{ explainRouting: { considered: readonly object[] } }>(
      `{ explainRouting(input: { currency: "USD" }) {
        considered { paymentService { id } accepts reasons { code message } } } }`,
    );

    expect(body.data?.explainRouting.considered).toContainEqual({
      paymentService: { id },
      accepts: false,
      reasons: [
        { code: 'NOT_READY', message: 'The provider refused the credentials of the payment service.' },
      ],
    });
  });
});
