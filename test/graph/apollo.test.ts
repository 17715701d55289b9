import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphQLFormattedError } from 'graphql';
import { executionPlugin } from '../../src/graph/execution/apollo.ts';
import { parseOptions, validationOptions } from '../../src/graph/limits/check-limits.ts';
import type { GraphContext } from '../../src/graph/context.ts';
import { createExecutor } from '../../src/graph/execution/execute.ts';
import { safeMessage } from '../../src/graph/safe-message.ts';
import { syntheticContext, syntheticGraph } from './synthetic.ts';

const { schema } = syntheticGraph();
type Mode = 'compiled' | 'reference';
const servers = new Map<Mode, ApolloServer<GraphContext>>();

const formatError = (formatted: GraphQLFormattedError): GraphQLFormattedError => ({
  ...formatted,
  message: formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR' ? 'masked' : safeMessage(formatted),
});

beforeAll(async () => {
  for (const mode of ['compiled', 'reference'] as const) {
    const server = new ApolloServer<GraphContext>({
      schema,
      parseOptions,
      validationOptions,
      formatError,
      includeStacktraceInErrorResponses: false,
      plugins: [
        ApolloServerPluginCacheControlDisabled(),
        executionPlugin({ executor: createExecutor(schema, mode), remember: () => undefined, formatError }),
      ],
    });
    await server.start();
    servers.set(mode, server);
  }
});

afterAll(async () => {
  for (const server of servers.values()) await server.stop();
});

type Requested = {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
};

/** Sends a request three times, so that the last answer is compiled if possible. */
async function ask(mode: Mode, requested: Requested, scopes?: readonly string[]) {
  const send = async () => {
    const response = await servers.get(mode)?.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: 'POST',
        headers: new HeaderMap([['content-type', 'application/json']]),
        search: '',
        body: requested,
      },
      context: async () => syntheticContext(scopes),
    });
    if (response?.body.kind !== 'complete') throw new Error('No answer');
    return {
      status: response.status,
      body: JSON.parse(response.body.string) as { data?: unknown; errors?: GraphQLFormattedError[] },
    };
  };
  await send();
  await send();
  return await send();
}

describe('Apollo Server', () => {
  it.each<[string, Requested, { readonly status?: number; readonly codes?: readonly string[] }]>([
    ['a query', { query: '{ shop(id: "s1") { name orders { total { amount } } } }' }, {}],
    ['a mutation', { query: 'mutation { rename(id: "s1") { shop { name } } }' }, {}],
    [
      'one of several operations',
      { query: 'query A { shop(id: "s1") { id } } query B { shop(id: "s2") { id } }', operationName: 'B' },
      {},
    ],
    [
      'a scope that is missing',
      { query: '{ shop(id: "s1") { closed } item(shopId: "s1", sku: "a") { name } }' },
      { codes: ['FORBIDDEN'] },
    ],
    [
      'a failure',
      { query: '{ broken(how: "later") { id } shop(id: "s1") { id } }' },
      { codes: ['INTERNAL_SERVER_ERROR'] },
    ],
    ['a wrong value', { query: '{ broken(how: "field") { tier } }' }, { codes: ['INTERNAL_SERVER_ERROR'] }],
    ['a syntax error', { query: '{ shop(id: ' }, { status: 400, codes: ['GRAPHQL_PARSE_FAILED'] }],
    [
      'too many tokens',
      { query: `{ ${'__typename '.repeat(1_001)} }` },
      { status: 400, codes: ['GRAPHQL_PARSE_FAILED'] },
    ],
    [
      'an invalid document',
      { query: '{ shop { id } }' },
      { status: 400, codes: ['GRAPHQL_VALIDATION_FAILED'] },
    ],
    [
      'an unknown operation',
      { query: 'query A { shop(id: "s1") { id } }', operationName: 'B' },
      { status: 400, codes: ['OPERATION_RESOLUTION_FAILURE'] },
    ],
    [
      'a refused variable',
      { query: 'query($id: ID!) { shop(id: $id) { id } }', variables: { id: [1] } },
      { status: 400, codes: ['BAD_USER_INPUT'] },
    ],
    [
      'a variable that is not given',
      { query: 'query($id: ID!) { shop(id: $id) { id } }' },
      { status: 400, codes: ['BAD_USER_INPUT'] },
    ],
    [
      'too many objects',
      { query: '{ shops(first: 6000) { nodes { id } } }' },
      { status: 400, codes: ['QUERY_TOO_COMPLEX'] },
    ],
    [
      'too deep',
      {
        query:
          '{ shop(id: "s1") { orders { shop { orders { shop { orders { shop { orders { shop { orders { id } } } } } } } } } } }',
      },
      { status: 400, codes: ['QUERY_TOO_DEEP'] },
    ],
    [
      'money without keys',
      { query: 'mutation { captureTransaction refundTransaction }' },
      { status: 400, codes: ['IDEMPOTENCY_KEY_REQUIRED'] },
    ],
    ['introspection', { query: '{ __type(name: "Tier") { enumValues { name } } }' }, {}],
  ])('answers alike with both executors: %s', async (_, requested, { status = 200, codes = [] }) => {
    const scopes = codes.includes('FORBIDDEN') ? ['shops.read'] : undefined;

    const compiled = await ask('compiled', requested, scopes);
    const reference = await ask('reference', requested, scopes);

    expect(compiled).toEqual(reference);
    expect(compiled.status ?? 200).toBe(status);
    expect([...new Set(compiled.body.errors?.map(({ extensions }) => extensions?.['code']))]).toEqual(codes);
    expect(compiled.body.errors?.every(({ extensions }) => !extensions?.['http'])).not.toBe(false);
  });

  it('clears its loaders before each mutation of a document', async () => {
    let cleared = 0;
    const context = {
      ...syntheticContext(),
      loaders: { one: { clearAll: () => (cleared += 1) } },
    } as unknown as GraphContext;

    await servers
      .get('reference')
      ?.executeOperation(
        { query: 'mutation { a: rename(id: "s1") { echo } b: rename(id: "s2") { echo } }' },
        { contextValue: context },
      );

    expect(cleared).toBe(2);
  });
});
