import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { ask, type TestServer } from '../support/server.ts';
import { createTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { reconcileAfter } from './unresolved.ts';

const SECRET = 'the client secret of the test';
const HOUR_S = 3_600;

let harness: Harness;
/** The server of the harness, with a token that is valid although hours have passed. */
let server: TestServer;
let tokens: TokenIssuer;
let provider: FakeProvider;
let service: string;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.pass(0);
  server = { ...harness.server, graphql: ask(harness.server.url, await harness.server.mint()) };
  tokens = createTokenIssuer({ id: 'client', secret: SECRET, lifetimeSeconds: HOUR_S });
  provider = await startFakeProvider({ tokens });
  service = await serviceWith(SECRET);
});
afterEach(() => provider.close());

const serviceWith = (secret: string): Promise<string> =>
  createService(server, provider.url, {
    definitionId: 'mock-acquirer',
    fields: { client_id: 'client', client_secret: secret },
  });

const pay = (paymentServiceId = service) => harness.create({ paymentServiceId });

describe('the access token of a provider', () => {
  it('serves all calls until shortly before its end', async () => {
    for (let count = 0; count < 3; count += 1)
      expect((await pay()).transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    // The check of the credentials at the creation has loaded the token.
    expect(tokens.issued()).toBe(1);

    await harness.pass((HOUR_S - 60) * 1_000);
    expect((await pay()).transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });

    expect(tokens.issued()).toBe(2);
  });

  it('is loaded once for calls at the same time', async () => {
    await harness.pass(HOUR_S * 1_000);
    const before = tokens.issued();

    const paid = await Promise.all(Array.from({ length: 8 }, () => pay()));

    expect(paid.map(({ transaction }) => transaction?.status)).toEqual(
      Array.from({ length: 8 }, () => 'AUTHORIZATION_SUCCEEDED'),
    );
    expect(tokens.issued()).toBe(before + 1);
  });

  it('that the provider has revoked is replaced, and the same request goes out again', async () => {
    tokens.revoke();

    const { transaction } = await pay();

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(tokens.issued()).toBe(2);
    expect(provider.books.size).toBe(1);
  });

  it('belongs to its credentials: changed ones load another', async () => {
    const other = createTokenIssuer({ id: 'client', secret: 'another', lifetimeSeconds: HOUR_S });
    const otherProvider = await startFakeProvider({ tokens: other });
    await harness.ask(
      `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
        updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
      {
        id: service,
        input: {
          fields: [
            { key: 'api_url', value: otherProvider.url },
            { key: 'client_secret', value: 'another' },
          ],
        },
      },
    );

    expect((await pay()).transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(other.issued()).toBe(1);
    expect(otherProvider.books.size).toBe(1);
    await otherProvider.close();
  });
});

it('a token with a short life serves for most of it', async () => {
  const short = createTokenIssuer({ id: 'client', secret: SECRET, lifetimeSeconds: 30 });
  const shortProvider = await startFakeProvider({ tokens: short });
  const id = await createService(server, shortProvider.url, {
    ...{ definitionId: 'mock-acquirer', fields: { client_id: 'client', client_secret: SECRET } },
  });
  await pay(id);
  await pay(id);

  expect(short.issued()).toBe(1);
  await shortProvider.close();
});

describe('without an access token', () => {
  it('refused credentials make the service FAILED', async () => {
    const id = await serviceWith('a wrong secret');

    expect(
      await harness.ask(`query ($id: ID!) { paymentService(id: $id) { status statusReason } }`, { id }),
    ).toEqual({
      paymentService: {
        status: 'FAILED',
        statusReason: 'The provider refuses the client id or the client secret.',
      },
    });
  });

  it('a client id without a secret makes the service FAILED', async () => {
    const id = await createService(server, provider.url, {
      ...{ definitionId: 'mock-acquirer', fields: { client_id: 'client' } },
    });

    expect(await harness.ask(`query ($id: ID!) { paymentService(id: $id) { status } }`, { id })).toEqual({
      paymentService: { status: 'FAILED' },
    });
  });

  it('nothing is sent and no money is held, and the payment fails', async () => {
    await harness.pass(HOUR_S * 1_000);
    await provider.close();

    const { transaction } = await pay();

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'service_network_error' });
    expect(provider.calls).toEqual([]);
  });

  it('an operation of unknown outcome waits, and is sent again under its key', async () => {
    provider.failNext('lose_answer');
    const { transaction } = await pay();
    tokens.revoke();
    await reconcileAfter(harness, 20_000);

    expect(await harness.transaction(transaction?.id ?? '')).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
    });
    expect(new Set(provider.calls.map((call) => call.idempotency_key)).size).toBe(1);
    expect(provider.books.size).toBe(1);
  });
});
