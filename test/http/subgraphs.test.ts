import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

const SECRET = 'a secret of at least 32 characters, for routers';
const SDL = '{ _service { sdl } }';

describe('subgraphs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      settings: { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET },
    });
  });
  afterAll(() => server.stop());

  type Body = {
    data?: Record<string, unknown>;
    errors?: { message: string; extensions: { code: string } }[];
  };
  const post = async (
    name: string,
    query: string,
    headers: Record<string, string>,
    variables = {},
  ): Promise<[number, Body]> => {
    const response = await fetch(`${server.url}/subgraphs/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return [response.status, (await response.json()) as Body];
  };
  const router = { 'x-router-secret': SECRET };
  const codesOf = ([status, { errors }]: [number, Body]) => [
    status,
    errors?.map(({ extensions }) => extensions.code),
  ];

  it.each(['accounts', 'payment-services', 'transactions', 'events'])(
    'give a router the SDL of %s',
    async (name) => {
      const [status, { data }] = await post(name, SDL, router);

      expect(status).toBe(200);
      expect(data).toEqual({
        _service: { sdl: expect.stringContaining('@link(url: "https://specs.apollo.dev/federation/v2.9"') },
      });
    },
  );

  it('look absent without the secret, even with other credentials', async () => {
    const authorization = `Bearer ${server.token}`;
    const nowhere = await post('accounts', SDL, {});
    const wrong = await post('accounts', SDL, { 'x-router-secret': `${SECRET}!`, authorization });
    const unknown = await post('nothing', SDL, router);

    expect(codesOf(nowhere)).toEqual([404, ['NOT_FOUND']]);
    expect(wrong).toEqual(nowhere);
    expect(unknown).toEqual(nowhere);
  });

  it.each([
    '{ merchantAccounts { nodes { id } } }',
    '{ _service { sdl } merchantAccounts { nodes { id } } }',
    '{ ...a } fragment a on Query { merchantAccounts { nodes { id } } }',
    '{ _entities(representations: [{ __typename: "MerchantAccount", id: "default" }]) { __typename } }',
    '{ __schema { queryType { name } } }',
    '{',
  ])('need the caller and not only the router for %s', async (query) => {
    expect(codesOf(await post('accounts', query, router))).toEqual([401, ['UNAUTHENTICATED']]);
  });

  it('answer the caller of the router, within the scopes and the merchant account', async () => {
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on MerchantAccount { id displayName } } }`;
    const of = [{ __typename: 'MerchantAccount', id: 'default' }];
    const limited = await server.mint({ scopes: ['transactions.read'] });

    const known = await post(
      'accounts',
      query,
      { ...router, authorization: `Bearer ${server.token}` },
      { of },
    );
    const unknown = await post('accounts', query, { ...router, authorization: 'Bearer nonsense' }, { of });
    const [, refused] = await post(
      'accounts',
      query,
      { ...router, authorization: `Bearer ${limited}` },
      { of },
    );
    const foreign = await post(
      'accounts',
      query,
      { ...router, authorization: `Bearer ${server.token}`, 'x-service-merchant-account-id': 'nobody' },
      { of },
    );

    expect(known).toEqual([200, { data: { _entities: [{ id: 'default', displayName: 'Default' }] } }]);
    expect(codesOf(unknown)).toEqual([401, ['UNAUTHENTICATED']]);
    expect(refused.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
    expect(codesOf(foreign)).toEqual([403, ['FORBIDDEN']]);
  });

  it('are served only when configured', async () => {
    const other = await startTestServer();
    const response = await fetch(`${other.url}/subgraphs/accounts`, {
      method: 'POST',
      headers: { ...router, 'content-type': 'application/json' },
      body: JSON.stringify({ query: SDL }),
    });
    await other.stop();

    expect(response.status).toBe(404);
  });

  it('are not part of the graph that callers see', async () => {
    const { body } = await server.graphql('{ _service { sdl } }');

    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });
});

it('a request of a router counts in the budget of its merchant account', async () => {
  const settings = { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET };
  const server = await startTestServer({ settings: { ...settings, PAYGRAPH_REQUESTS_PER_SECOND: '1' } });
  const ask = (authorization: string) =>
    fetch(`${server.url}/subgraphs/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-router-secret': SECRET, authorization },
      body: JSON.stringify({ query: '{ merchantAccount { id } }' }),
    });
  const other = await server.createMerchantAccount();

  const answers = [];
  for (let count = 0; count < 6; count += 1) answers.push(await ask(`Bearer ${server.token}`));
  const beside = await ask(`Bearer ${other.token}`);
  await server.stop();

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429]);
  expect(answers[5]?.headers.get('retry-after')).toMatch(/^[1-4]$/);
  expect(await answers[5]?.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  expect([beside.status, beside.headers.get('ratelimit-policy')]).toEqual([
    200,
    expect.stringContaining('"requests";q=4;w=4'),
  ]);
});
