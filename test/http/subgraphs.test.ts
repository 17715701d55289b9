import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kind, parse, print } from 'graphql';
import { SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
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

  it('answer thousands of references at once, each in its own place', async () => {
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on MerchantAccount { id } } }`;
    const caller = { ...router, authorization: `Bearer ${server.token}` };
    const ask = (of: readonly unknown[]) => post('accounts', query, caller, { of });
    const known = { __typename: 'MerchantAccount', id: 'default' };
    const many = Array.from({ length: 5_000 }, (_, index) =>
      index % 2 ? { ...known, id: `other-${index}` } : known,
    );

    const [, { data, errors }] = await ask(many);
    const entities = data?.['_entities'] as readonly unknown[];
    const beyond = await ask([...many, known]);

    expect(errors).toBeUndefined();
    expect([entities.length, entities[0], entities[1], entities[4_998]]).toEqual([
      5_000,
      { id: 'default' },
      null,
      { id: 'default' },
    ]);
    expect(codesOf(beyond)).toEqual([200, ['INPUT_TOO_LARGE']]);
  });

  it.each<readonly [string, unknown]>([
    ['no object', 7],
    ['no type', { id: 'default' }],
    ['an unknown type', { __typename: 'Nothing', id: 'default' }],
    ['a type without a key', { __typename: 'PageInfo', id: 'default' }],
    ['a nested key', { __typename: 'MerchantAccount', id: { of: 'default' } }],
  ])('refuse a reference with %s in its own place', async (_, malformed) => {
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on MerchantAccount { id } } }`;
    const of = [{ __typename: 'MerchantAccount', id: 'default' }, malformed];
    const caller = { ...router, authorization: `Bearer ${server.token}` };

    const [status, { data, errors }] = await post('accounts', query, caller, { of });

    expect(status).toBe(200);
    expect(data).toEqual({ _entities: [{ id: 'default' }, null] });
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['_entities', 1],
        extensions: expect.objectContaining({ code: 'INVALID_INPUT' }),
      }),
    ]);
  });

  it('refuse a payment without an idempotency key, also when the router split its document', async () => {
    const caller = { ...router, authorization: `Bearer ${server.token}` };
    const input = { amount: 1299, currency: 'USD', country: 'US' };
    const pay = (argument: string, headers = {}) =>
      post(
        'transactions',
        `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input ${argument}) { transaction { id } userErrors { code } } }`,
        { ...caller, ...headers },
        { input },
      );

    const [status, { data, errors }] = await pay('');

    expect([status, data ?? null, errors?.[0]?.extensions.code]).toEqual([
      200,
      null,
      'IDEMPOTENCY_KEY_REQUIRED',
    ]);
    expect(errors?.[0]?.message).toContain('Behind a router');
    expect((await pay('idempotencyKey: "a-key"'))[1].errors).toBeUndefined();
    expect((await pay('', { 'idempotency-key': 'another-key' }))[1].errors).toBeUndefined();
  });

  it.each(SUBGRAPHS)(
    'serve the SDL of %s with the definition of @oneOf, and no words about foreign types',
    async (name) => {
      const [, { data }] = await post(name, SDL, router);
      const { sdl } = data?.['_service'] as { sdl: string };

      expect(sdl.includes('directive @oneOf')).toBe(/^input .* @oneOf/m.test(sdl));
      expect(() => parse(sdl)).not.toThrow();
      for (const node of parse(sdl).definitions) {
        if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
        const isForeign = node.directives?.some((directive) =>
          print(directive).includes('resolvable: false'),
        );
        expect([node.name.value, isForeign ? node.description : undefined]).toEqual([
          node.name.value,
          undefined,
        ]);
      }
    },
  );

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

it('subgraphs serve no scopes when the setting says so, and enforce them', async () => {
  const server = await startTestServer({
    settings: {
      PAYGRAPH_SUBGRAPHS: 'true',
      PAYGRAPH_ROUTER_SECRET: SECRET,
      PAYGRAPH_SUBGRAPH_SCOPES: 'false',
    },
  });
  const post = async (query: string, authorization?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-router-secret': SECRET };
    const response = await fetch(`${server.url}/subgraphs/transactions`, {
      method: 'POST',
      headers: authorization === undefined ? headers : { ...headers, authorization },
      body: JSON.stringify({ query }),
    });
    return response.json();
  };
  const limited = await server.mint({ scopes: ['events.read'] });

  const served = await post(SDL);
  const refused = await post('{ transactions { nodes { id } } }', `Bearer ${limited}`);
  await server.stop();

  const { sdl } = (served as { data: { _service: { sdl: string } } }).data._service;
  expect(sdl).toContain('type Transaction');
  expect(sdl).not.toMatch(/requiresScopes\(scopes: \[\["/);
  expect(refused).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
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
