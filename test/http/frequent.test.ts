import { ApolloServer } from '@apollo/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

// A query that came before goes around Apollo's pipeline. Its answer is the same, to the byte.

let server: TestServer;
/** The requests that Apollo answers. */
const byApollo = jest.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest');

beforeAll(async () => {
  server = await startTestServer({ settings: { PAYGRAPH_METRICS: 'true' } });
});
beforeEach(() => void byApollo.mockClear());
afterAll(async () => {
  byApollo.mockRestore();
  await server.stop();
});

type Asked = {
  readonly query: string;
  readonly variables?: object;
  readonly operationName?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: object;
  readonly more?: number;
};

/** Asks for a document and returns what a caller sees, without the parts that differ for every request. */
async function ask({ headers, ...body }: Asked) {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${server.token}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const head = Object.fromEntries(answer.headers);
  const own = ['date', 'x-request-id', ...Object.keys(head).filter((name) => name.startsWith('ratelimit'))];
  return {
    status: answer.status,
    headers: Object.fromEntries(Object.entries(head).filter(([name]) => !own.includes(name))),
    body: (await answer.text()).replaceAll(head['x-request-id'] ?? '-', 'the request'),
  };
}

const RESPONSE_JSON = { accept: 'application/graphql-response+json' };

/** Counts the requests of three that Apollo answered, and compares the answers. */
async function askThrice(asked: Asked): Promise<number> {
  const first = await ask(asked);
  await ask(asked);
  byApollo.mockClear();
  const third = await ask(asked);
  expect(third).toEqual(first);
  return byApollo.mock.calls.length;
}

describe('a query that came before', () => {
  it.each<[string, Asked]>([
    ['the smallest', { query: '{ __typename }' }],
    ['a list', { query: '{ merchantAccounts { nodes { id displayName } } }' }],
    [
      'one with variables',
      { query: 'query ($n: Int!) { transactions(first: $n) { nodes { id } } }', variables: { n: 3 } },
    ],
    [
      'one of several operations',
      { query: 'query a { __typename } query b { again: __typename }', operationName: 'b' },
    ],
    ["one with a client's extensions", { query: 'query e { __typename }', extensions: { client: 'web' } }],
    ['one with a member that nobody knows', { query: 'query o { __typename }', more: 1 }],
    [
      'one that names its encoding',
      { query: 'query c { __typename }', headers: { 'content-type': 'application/json; charset=utf-8' } },
    ],
    ['one in the newer media type', { query: 'query newer { __typename }', headers: RESPONSE_JSON }],
    ['one with an argument beyond its limit', { query: '{ transactions(first: 101) { nodes { id } } }' }],
    [
      'such a one in the newer media type',
      { query: 'query n { transactions(first: 101) { nodes { id } } }', headers: RESPONSE_JSON },
    ],
  ])('is answered as before, and without Apollo: %s', async (_, asked) => {
    expect(await askThrice(asked)).toBe(0);
  });

  it('is answered as before for a token without the scope', async () => {
    const token = await server.mint({ scopes: ['buyers.read'] });
    const headers = { authorization: `Bearer ${token}` };

    expect(await askThrice({ query: '{ transactions { nodes { id } } }', headers })).toBe(0);
  });

  it('is answered as before after a fault, with the id of its own request', async () => {
    const { readDb } = server.app;
    const query = readDb.query.bind(readDb);
    Object.assign(readDb, { query: () => Promise.reject(new Error('secret')) });

    const left = await askThrice({ query: 'query broken { transactions { nodes { id } } }' });
    Object.assign(readDb, { query });

    expect(left).toBe(0);
  });

  it('is counted in the metrics', async () => {
    const asked = { query: 'query counted { __typename }' };
    await askThrice(asked);
    const before = await counted();

    await ask(asked);

    expect(await counted()).toBe(before + 1);
  });
});

async function counted(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = /^paygraph_operations_total\{kind="query",transport="http",outcome="answered"\} (\d+)$/m;
  return Number(line.exec(text)?.[1] ?? 0);
}

describe('Apollo answers', () => {
  const query = 'query plain { __typename }';

  it.each<[string, Asked]>([
    ['a request of a stored document', { query, extensions: { persistedQuery: { version: 1 } } }],
    ['extensions that are no object', { query, extensions: [] }],
    ['a caller with preferences', { query, headers: { accept: 'application/json;q=0.9, text/html' } }],
    ['a caller that takes no JSON', { query, headers: { accept: 'text/html' } }],
    ['a document with a mistake', { query: '{ nonsense }' }],
    ['variables that do not fit', { query: 'query ($n: Int!) { transactions(first: $n) { nodes { id } } }' }],
    ['an operation that there is not', { query, operationName: 'other' }],
    ['a mutation', { query: 'mutation { updateTransaction(id: "no", input: {}) { userErrors { code } } }' }],
  ])('%s', async (_, asked) => {
    expect(await askThrice(asked)).toBe(1);
  });

  it('a repeated query that is now beyond a limit', async () => {
    const list =
      'query ($n: Int!) { transactions(first: $n) { nodes { events(first: $n) { nodes { id } } } } }';
    expect(await askThrice({ query: list, variables: { n: 5 } })).toBe(0);

    const refused = await ask({ query: list, variables: { n: 90 } });

    expect(refused.body).toContain('QUERY_TOO_COMPLEX');
    expect(byApollo).toHaveBeenCalledTimes(1);
  });
});
