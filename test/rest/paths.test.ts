import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { restClient, type RestClient } from './client.ts';

let server: TestServer;
let send: RestClient;
beforeAll(async () => {
  server = await startTestServer();
  send = restClient(server);
});
afterAll(() => server.stop());

const SERVICE = {
  display_name: 'Cards',
  payment_service_definition_id: 'mock-card',
  fields: [{ key: 'merchant_id', value: 'shop-1' }],
  accepted_currencies: ['USD'],
  accepted_countries: ['US'],
};
const ABSENT = '018f3c2e-0000-7000-8000-000000000000';

describe('the REST paths', () => {
  it('create a record that the graph shows', async () => {
    const { status, body } = await send('POST /payment-services', SERVICE);

    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...SERVICE,
      ...{ type: 'payment-service', merchant_account_id: 'default', method: 'card', position: 1 },
      ...{ active: true, is_deleted: false, merchant_profile: null, three_d_secure_fallback: 'continue' },
    });
    const { body: graph } = await server.graphql(
      'query ($id: ID!) { paymentService(id: $id) { displayName } }',
      { id: body.id },
    );
    expect(graph).toEqual({ data: { paymentService: { displayName: 'Cards' } } });
    expect((await send(`GET /payment-services/${body.id}`)).body).toEqual(body);
  });

  it('refuse wrong input with the place of each value', async () => {
    const { status, body } = await send('POST /payment-services', {
      ...{ ...SERVICE, display_name: '', accepted_currencies: ['usd'], fields: undefined },
      ...{ active: 'yes', displayName: 'Cards' },
    });

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'error', code: 'bad_request', status: 400, reason: 'invalid_input' });
    expect(body['details']).toEqual([
      expect.objectContaining({ location: 'body', pointer: '', type: 'value_error.extra' }),
      expect.objectContaining({ pointer: '/fields', type: 'value_error.missing' }),
      expect.objectContaining({ pointer: '/active', message: 'Must be true or false.' }),
    ]);
    const limits = await send('POST /payment-services', {
      ...SERVICE,
      ...{ display_name: '', accepted_currencies: ['usd'] },
    });
    expect(limits.status).toBe(400);
    expect(limits.body['details']).toEqual([
      { location: 'body', pointer: '/display_name', message: expect.any(String), type: 'value_error' },
      {
        location: 'body',
        pointer: '/accepted_currencies/0',
        message: expect.any(String),
        type: 'value_error',
      },
    ]);
  });

  it('answer a problem of RFC 9457 to a caller who asks for one', async () => {
    const { status, headers, body } = await send(`GET /payment-services/${ABSENT}`, undefined, {
      headers: { accept: 'application/problem+json' },
    });

    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      ...{ type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found', reason: 'not_found' },
      detail: 'The token has access to no record with this id.',
      instance: `urn:uuid:${headers.get('x-request-id')}`,
      errors: [expect.objectContaining({ location: 'path', pointer: '/payment_service_id' })],
    });
  });

  it('refuse a missing token, a missing scope, another method and a body that is no JSON', async () => {
    const reader = await server.mint({ scopes: ['payment-services.read'] });
    const answers = [
      await send('POST /payment-services', SERVICE, { token: null }),
      await send('POST /payment-services', SERVICE, { token: reader }),
      await send('PUT /payment-services', SERVICE),
      await send('POST /payment-services', '{'),
      await send('POST /payment-services', [SERVICE]),
      await send('GET /payment-services?activ=true'),
    ];

    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [405, 'method_not_allowed'],
      [400, 'incorrect_json'],
      [400, 'bad_request'],
      [400, 'bad_request'],
    ]);
    expect(answers[2]?.headers.get('allow')).toBe('POST, GET');
  });

  it('take lists with brackets, and nothing as a body of any type', async () => {
    const { body } = await send('POST /payment-services', SERVICE);
    const verify = `${server.url}/payment-services/${body.id}/verify`;
    const form = (sent: string) =>
      fetch(verify, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${server.token}`, 'content-type': 'application/x-www-form-urlencoded' },
        },
        body: sent,
      });
    const [listed, empty, filled] = [
      await send('GET /payment-methods?status[]=succeeded&status[]=failed'),
      await form(''),
      await form('a=b'),
    ];

    expect([listed.status, empty.status, filled.status]).toEqual([200, 200, 415]);
    expect((await send('GET /payment-methods?buyer_id[]=x')).status).toBe(400);
  });

  it('create a record with the right to write alone, and show no record of others', async () => {
    const { id, token } = await server.createMerchantAccount();
    const writer = await server.mint({ scopes: ['payment-links.write'] });
    const input = { amount: 100, currency: 'USD', country: 'US', buyer: { display_name: 'Ada' } };

    const created = await send('POST /payment-links', input, { token: writer });

    expect(created.status).toBe(201);
    expect(created.body).not.toHaveProperty('buyer');
    const path = `GET /payment-links/${created.body.id}` as const;
    expect((await send(path, undefined, { token: writer })).status).toBe(403);
    expect((await send(path, undefined, { token })).status).toBe(404);
    expect((await send(path)).body).toMatchObject({ buyer: { display_name: 'Ada' } });
    const chosen = await send(path, undefined, { headers: { 'x-service-merchant-account-id': id } });
    expect(chosen.status).toBe(404);
  });

  it('give the pages of a list forwards and backwards', async () => {
    const { token } = await server.createMerchantAccount();
    for (const display_name of ['a', 'b', 'c', 'd', 'e'])
      expect((await send('POST /buyers', { display_name }, { token })).status).toBe(201);
    const page = async (query: string) => {
      const { body } = await send(`GET /buyers?limit=2${query}`, undefined, { token });
      return { ...body, names: body.items.map(({ display_name: name }) => name).join('') };
    };

    const first = await page('');
    const second = await page(`&cursor=${first.next_cursor}`);
    const last = await page(`&cursor=${second.next_cursor}`);
    const back = await page(`&cursor=${second.previous_cursor}`);

    expect([first, second, last, back].map(({ names }) => names)).toEqual(['ed', 'cb', 'a', 'ed']);
    expect(first).toMatchObject({ limit: 2, previous_cursor: null });
    expect(last.next_cursor).toBeNull();
    const wrong = await send('GET /buyers?limit=101&cursor=x');
    expect(wrong.body['details']).toEqual([
      { location: 'query', pointer: '/limit', message: 'Must be 1 to 100.', type: 'value_error' },
    ]);
  });

  it('repeat a creation with its key, by REST and by GraphQL', async () => {
    const made = await send('POST /buyers', { display_name: 'Once' }, { key: 'buyer-1' });
    const again = await send('POST /buyers', { display_name: 'Once' }, { key: 'buyer-1' });
    const other = await send('POST /buyers', { display_name: 'Twice' }, { key: 'buyer-1' });
    const { body } = await server.graphql(
      'mutation { createBuyer(input: { displayName: "Once" }, idempotencyKey: "buyer-1") { buyer { id } replayed } }',
    );

    expect(again.body).toEqual(made.body);
    expect(made.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(body).toEqual({ data: { createBuyer: { buyer: { id: made.body.id }, replayed: true } } });
    expect([other.status, other.body['reason']]).toEqual([400, 'idempotency_key_reused']);
    expect(other.body['details']).toEqual([
      expect.objectContaining({ location: 'header', pointer: '/idempotency-key' }),
    ]);
  });

  it('take names that objects have by themselves as unknown names', async () => {
    const answers = [
      await send('POST /buyers', { constructor: 'x' }),
      await send('GET /buyers?constructor=1&toString=2'),
      await send('POST /transactions', {
        ...{ amount: 1, currency: 'USD', payment_method: { method: 'constructor' } },
        metadata: { constructor: '4111111111111111' },
      }),
      await send('POST /payment-services', { ...SERVICE, merchant_profile: { constructor: {} } }),
      await send('POST /buyers', '{ "__proto__": { "display_name": "x" } }'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(answers[1]?.body['details']).toHaveLength(2);
  });

  it('name the record that has a unique value already', async () => {
    const { body } = await send('POST /buyers', { external_identifier: 'unique' });
    const twice = await send('POST /buyers', { external_identifier: 'unique' });

    expect(twice.status).toBe(409);
    expect(twice.body).toMatchObject({ code: 'duplicate_record', resource_id: body.id });
  });
});
