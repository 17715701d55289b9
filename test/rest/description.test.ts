import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../src/http/rest/table.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { restClient } from './client.ts';
import { EXCHANGES, UNEXCHANGED } from './exchanges.ts';
import { readDescription, type Description } from './read-description.ts';

let server: TestServer;
let description: Description;
beforeAll(async () => {
  server = await startTestServer();
  description = await readDescription(restClient(server));
});
afterAll(() => server.stop());

const SERVICE = {
  ...{ display_name: 'Cards', payment_service_definition_id: 'mock-card', accepted_countries: ['US'] },
  fields: [],
};

const SESSION = 'POST /transactions/{transaction_id}/session';

describe('the description of the REST paths', () => {
  it('holds every path of the table, and no other but the session', () => {
    const found = description.operations.map(({ method, path }) => `${method} ${path}`);
    const table = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(found.toSorted()).toEqual([...table, SESSION].toSorted());
    expect(new Set(description.operations.map(({ operation }) => operation.operationId)).size).toBe(
      found.length,
    );
  });

  it('has an example of each body, and the body’s schema accepts it', () => {
    const bodies = description.operations.flatMap(({ operation: { operationId, requestBody } }) =>
      requestBody ? [{ operationId, ...requestBody.content['application/json'], ...requestBody }] : [],
    );
    const faults = bodies.map(({ operationId, schema, example, required }) => [
      operationId,
      example === undefined ? (required ? ['no example'] : []) : description.faultsOf(schema, example),
    ]);
    expect(faults.filter(([, each]) => each?.length)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(20);
  });

  it('says the limits of values, and a body beyond a limit is refused', async () => {
    const schemaOf = (operationId: string) =>
      description.operations.find(({ operation }) => operation.operationId === operationId)?.operation
        .requestBody?.content['application/json'].schema ?? {};
    const buyer = schemaOf('post_buyers');
    const named = (length: number) => ({ display_name: '🙂'.repeat(length) });
    const send = restClient(server);

    expect(description.faultsOf(buyer, named(200))).toEqual([]);
    expect((await send('POST /buyers', named(200))).status).toBe(201);
    for (const body of [named(201), { display_name: '' }, { billing_details: { phone_number: '0815' } }]) {
      expect(description.faultsOf(buyer, body).length).toBeGreaterThan(0);
      expect((await send('POST /buyers', body)).status).toBe(400);
    }
    const service = { ...SERVICE, accepted_currencies: ['usd'] };
    expect(description.faultsOf(schemaOf('post_payment_services'), service).length).toBeGreaterThan(0);
    const capture = { transaction_id: 'x', amount: 0 };
    expect(description.faultsOf(schemaOf('post_captures'), capture).length).toBeGreaterThan(0);
  });

  it('says the limits of parameters', () => {
    const found = description.operations.find(
      ({ operation }) => operation.operationId === 'get_transactions',
    );
    const parameters = new Map(found?.operation.parameters.map(({ name, schema }) => [name, schema]));

    expect(parameters.get('amount_gte')).toMatchObject({ minimum: 0, maximum: 99_999_999 });
    expect(parameters.get('currency')).toMatchObject({ maxItems: 50, items: { pattern: '^[A-Z]{3}$' } });
    expect(parameters.get('external_identifier')).toMatchObject({ minLength: 1, maxLength: 200 });
  });

  it('says the scope of each path', () => {
    const scopes = description.operations.map(({ method, path, operation }) => [
      `${method} ${path}`,
      operation.security.flatMap((each) => Object.values(each)).join(),
    ]);
    expect(Object.fromEntries(scopes)).toMatchObject({
      'POST /payment-services': 'payment-services.write',
      'GET /payment-links/{payment_link_id}': 'payment-links.read',
      'PUT /payment-methods/{payment_method_id}': 'payment-methods.write',
      'POST /captures': 'transactions.write',
    });
    const open = scopes.filter(([, scope]) => scope === '').map(([path]) => path);
    expect(open).toEqual([SESSION]);
  });

  it('is held against a request and an answer of each path', () => {
    const exchanged = [...EXCHANGES.map(([name]) => name.split(' ')[0] ?? ''), ...UNEXCHANGED];
    const all = description.operations.map(({ operation }) => operation.operationId);
    expect([...new Set(exchanged)].toSorted()).toEqual(all.toSorted());
  });
});
