import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ACCOUNTS = '{ merchantAccount(id: "default") { id } }';
const INTROSPECTION = '{ __schema { queryType { name } } }';

describe('the access control', () => {
  it('challenges a caller without a token', async () => {
    const { status, headers, body } = await server.graphql(ACCOUNTS, {}, { token: null });

    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(body.errors?.map(({ extensions }) => extensions)).toEqual([{ code: 'UNAUTHENTICATED' }]);
    expect(body.data).toBeUndefined();
  });

  it('calls a bad token invalid, and says no more', async () => {
    const expired = await server.mint({ lifetimeS: 30, ageS: 120 });
    for (const token of ['nonsense', expired, `${server.token.slice(0, -4)}AAAA`]) {
      const { status, headers, body } = await server.graphql(ACCOUNTS, {}, { token });

      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
      expect(JSON.stringify(body)).not.toContain(token);
    }
  });

  it('refuses before the body is read', async () => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      body: 'x'.repeat(10_000),
      headers: { 'content-type': 'application/json' },
    });

    expect(response.status).toBe(401);
  });

  it('refuses a merchant account outside of the token', async () => {
    const { status, body } = await server.graphql(
      ACCOUNTS,
      {},
      { headers: { 'x-service-merchant-account-id': 'nobody' } },
    );

    expect(status).toBe(403);
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });

  it('acts for the merchant account that the header names', async () => {
    const { id } = await server.createMerchantAccount();
    const mutation = `mutation { createPaymentService(input: { displayName: "S", paymentServiceDefinitionId: "mock-card",
      fields: [{ key: "merchant_id", value: "m" }], acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) {
      paymentService { merchantAccountId } userErrors { message } } }`;
    const { body } = await server.graphql(mutation, {}, { headers: { 'x-service-merchant-account-id': id } });

    expect(body.data).toEqual({
      createPaymentService: { paymentService: { merchantAccountId: id }, userErrors: [] },
    });
  });

  it('answers a missing scope with FORBIDDEN and its name, and runs the rest of the document', async () => {
    const token = await server.mint({ scopes: ['merchant-accounts.read'] });
    const { status, body } = await server.graphql(
      `{ ${ACCOUNTS.slice(1, -1)} transaction(id: "x") { id } }`,
      {},
      { token },
    );

    expect(status).toBe(200);
    expect(body.data).toEqual({ merchantAccount: { id: 'default' }, transaction: null });
    expect(body.errors).toEqual([
      expect.objectContaining({
        message: 'The token lacks the scope transactions.read.',
        path: ['transaction'],
        extensions: { code: 'FORBIDDEN', requiredScopes: [['transactions.read']] },
      }),
    ]);
  });

  it('shows the schema to callers with a token only', async () => {
    const known = await server.graphql(INTROSPECTION);
    const unknown = await server.graphql(INTROSPECTION, {}, { token: null });

    expect(known.body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
    expect(unknown.status).toBe(401);
  });
});
