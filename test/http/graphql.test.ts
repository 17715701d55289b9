import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

const RESPONSE_JSON = 'application/graphql-response+json; charset=utf-8';
const PLAIN_JSON = 'application/json; charset=utf-8';

describe.each(['compiled', 'reference'])('GraphQL over HTTP, %s executor', (executor) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_EXECUTOR: executor } });
  });
  afterAll(() => server.stop());

  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}`, ...headers },
      body,
    });
  const get = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { authorization: `Bearer ${server.token}`, ...headers },
    });
  const codesOf = async (response: Response): Promise<unknown> => {
    const body = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    return body.errors?.map(({ extensions }) => extensions.code);
  };

  it('says where a subscription belongs', async () => {
    const query = 'subscription { events { id } }';
    const plain = await post(JSON.stringify({ query }));
    const modern = await post(JSON.stringify({ query }), { accept: 'application/graphql-response+json' });

    expect([plain.status, modern.status]).toEqual([200, 400]);
    expect(await codesOf(plain)).toEqual(['SUBSCRIPTION_NEEDS_WEBSOCKET']);
    expect(await modern.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('graphql-transport-ws') }],
    });
  });

  it('answers a query, with headers that keep it private', async () => {
    const response = await post('{"query":"{ merchantAccounts { nodes { id } } }"}');

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { merchantAccounts: { nodes: [{ id: 'default' }] } } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': PLAIN_JSON,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['a syntax error', '{', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', '{ nope }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a missing variable', 'query ($id: ID!) { transaction(id: $id) { id } }', 'BAD_USER_INPUT'],
    [
      'too much',
      `{ ${Array.from({ length: 16 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      'QUERY_TOO_COMPLEX',
    ],
  ])('answers %s with 400 in the newer media type and 200 in plain JSON', async (_what, query, code) => {
    const body = JSON.stringify({ query });
    // The compiled operation answers the third time.
    for (let round = 0; round < 3; round += 1) {
      const newer = await post(body, { accept: 'application/graphql-response+json' });
      const plain = await post(body, { accept: 'application/json' });

      expect([newer.status, newer.headers.get('content-type')]).toEqual([400, RESPONSE_JSON]);
      expect([plain.status, plain.headers.get('content-type')]).toEqual([200, PLAIN_JSON]);
      expect(await codesOf(newer)).toEqual([code]);
      expect(await codesOf(plain)).toEqual([code]);
    }
  });

  it('answers GET for queries that no foreign page can make a browser send', async () => {
    const allowed = await get('{ __typename }', { 'content-type': 'application/json' });
    const forged = await get('{ __typename }');

    expect([allowed.status, await allowed.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
    expect([forged.status, await codesOf(forged)]).toEqual([400, ['BAD_REQUEST']]);
  });

  it('refuses a mutation by GET, and does nothing', async () => {
    const mutation =
      'mutation { createMerchantAccount(input: { id: "by-get", displayName: "G" }) { replayed } }';
    const response = await get(mutation, { 'content-type': 'application/json' });

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await server.app.db.prisma.merchantAccount.count({ where: { id: 'by-get' } })).toBe(0);
  });

  it('refuses other methods', async () => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
      body: '{"query":"{ __typename }"}',
    });

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it.each([
    ['a body that is no JSON', '{"query": 4111111111111111 oops', 'application/json', 400],
    ['no body', '', 'application/json', 400],
    ['a batch', '[{"query":"{ __typename }"}]', 'application/json', 400],
    ['a form', 'query={ __typename }', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{"query":"{ __typename }"}', 'text/plain', 415],
    [
      'a body that is too large',
      JSON.stringify({ query: `{ __typename } # ${'x'.repeat(300_000)}` }),
      'application/json',
      413,
    ],
  ])('refuses %s', async (_what, body, type, status) => {
    const response = await post(body, { 'content-type': type });

    expect([response.status, response.headers.get('content-type')]).toEqual([status, PLAIN_JSON]);
    expect(await response.clone().text()).not.toContain('4111');
    expect(await codesOf(response)).toEqual(['BAD_REQUEST']);
  });

  it('keeps no persisted queries', async () => {
    const sha256Hash = 'ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38';
    const response = await post(
      JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash } } }),
    );

    expect(await codesOf(response)).toEqual(['PERSISTED_QUERY_NOT_SUPPORTED']);
  });

  it('answers an unknown path with 404 and points to the API, in the form of the path', async () => {
    const message = 'Nothing is served here. GraphQL is at /graphql, and /openapi describes the REST paths.';
    const [graph, rest, problem] = await Promise.all([
      fetch(`${server.url}/graphql/more`),
      fetch(`${server.url}/transaction`),
      fetch(`${server.url}/transaction`, { headers: { accept: 'application/problem+json' } }),
    ]);

    expect([graph.status, rest.status, problem.status]).toEqual([404, 404, 404]);
    expect(await graph.json()).toEqual({ errors: [{ message, extensions: { code: 'NOT_FOUND' } }] });
    const code = { code: 'not_found', reason: 'not_found' };
    expect(await rest.json()).toEqual({ type: 'error', ...code, status: 404, message, details: [] });
    expect(await problem.json()).toEqual({
      ...{ type: 'about:blank', title: 'Not Found', status: 404, detail: message, ...code, errors: [] },
      instance: expect.stringMatching(/^urn:uuid:/),
    });
  });
});
