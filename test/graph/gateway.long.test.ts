import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHandler } from 'graphql-http/lib/use/http';
import { parse, validate, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { createExecutor } from '../../src/graph/execution/execute.ts';
import { createHiveGateway, type HiveGateway } from '../gateway/hive-gateway.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { randomOperation } from './random-operation.ts';
import { syntheticContext, syntheticGraph } from './synthetic.ts';

const graph = syntheticGraph();
const servers: Server[] = [];
const gateways = new Map<string, HiveGateway>();

const ALL = ['*.read', '*.write'];
const ORDERS_ONLY = ['orders.read', 'shops.write'];

beforeAll(() => installApart('test/gateway'), INSTALL_MS);

beforeAll(async () => {
  const urls: Record<string, string> = {};
  for (const [name, schema] of graph.subgraphs()) urls[name] = await serve(schema);
  for (const scopes of [ALL, ORDERS_ONLY]) {
    const headers = { 'x-scopes': scopes.join() };
    gateways.set(
      scopes.join(),
      await createHiveGateway({ supergraphSdl: graph.supergraphSdl, urls, headers }),
    );
  }
});

afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Serves one subgraph over HTTP, with the scopes of a header. */
async function serve(schema: GraphQLSchema): Promise<string> {
  const handler = createHandler({
    schema,
    context: ({ raw }) => ({ ...syntheticContext(String(raw.headers['x-scopes']).split(',')) }),
  });
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The compared part: the data, and the set of codes. A gateway names places in errors by its own plan. */
const essence = ({ data, errors = [] }: ExecutionResult) => ({
  data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
  codes: [
    ...new Set(
      errors.map(({ extensions }: { extensions?: Record<string, unknown> }) => extensions?.['code'] ?? null),
    ),
  ],
});

async function askAll(text: string, scopes: readonly string[], variables = {}) {
  const document = parse(text);
  expect(validate(graph.schema, document)).toEqual([]);
  const request = () => ({ document, variables, context: syntheticContext(scopes) });
  const compiled = createExecutor(graph.schema, 'compiled');
  await compiled.execute(request());
  return {
    reference: essence(await createExecutor(graph.schema, 'reference').execute(request())),
    compiled: essence(await compiled.execute(request())),
    gateway: essence((await gateways.get(scopes.join())?.query(text, variables)) ?? {}),
  };
}

describe('the fused schema and its subgraphs behind a router', () => {
  it.each([
    '{ shops { nodes { id name tier openedAt rent { amount } bestItems { sku } } edges { node { name } } } }',
    '{ orders { id shop { id } notes total { amount currency } } }',
    '{ order(id: "o1") { before { id } shop { id name } items { shopId sku name level price { amount } } } }',
    '{ orders { shop { id orderCount } } }',
    '{ items(level: NONE) { name shop { name orders(first: 1) { id } } } }',
    '{ shops(tier: PLAIN) { nodes { orders { shop { name bestItems { shop { latest { id } } } } } } } }',
    '{ item(shopId: "s1", sku: "b") { level } order(id: "o2") { items { level name } } }',
    '{ find(id: "s1") { __typename ... on Shop { name orderCount } ... on Missing { what code } } }',
    '{ find(id: "s0") { __typename ... on Shop { name orderCount } ... on Missing { what code } } }',
    'mutation { rename(id: "s1", changes: { tier: GOLD, tags: { a: "b" } }) { shop { name latest { id } } echo problems { message } } }',
    'mutation { rename(id: "s7") { shop { name } problems { __typename message code ... on Missing { what } ... on Closed { since } } } }',
  ])('answer alike: %s', async (text) => {
    const { reference, compiled, gateway } = await askAll(text, ALL);

    expect(reference.codes).toEqual([]);
    expect(compiled).toEqual(reference);
    expect(gateway).toEqual(reference);
  });

  it.each([
    '{ shop(id: "s1") { name } }',
    '{ order(id: "o1") { id shop { id } } }',
    '{ order(id: "o1") { id shop { id orderCount } } }',
    '{ order(id: "o1") { id shop { id name } } }',
    '{ orders { id shop { id name } items { sku } } }',
    '{ order(id: "o1") { items { shopId sku level } } }',
  ])('refuse alike without the token’s scope: %s', async (text) => {
    const { reference, compiled, gateway } = await askAll(text, ORDERS_ONLY);

    expect(compiled).toEqual(reference);
    expect(gateway).toEqual(reference);
  });

  it('refuse a mutation before it runs, where a router splits it and hides the field of the other subgraph', async () => {
    const text = 'mutation { rename(id: "s1") { shop { name latest { id } } } }';
    const { reference, compiled, gateway } = await askAll(text, ORDERS_ONLY);

    expect(reference).toEqual({ codes: ['FORBIDDEN'], data: null });
    expect(compiled).toEqual(reference);
    expect(gateway).toEqual({
      codes: ['FORBIDDEN'],
      data: { rename: { shop: { name: 'Corner', latest: null } } },
    });
  });

  it('answer random operations alike', async () => {
    for (let seed = 1_001; seed <= 1_100; seed += 1) {
      const { text, variables } = randomOperation(graph.schema, seed);
      if (/broken|strict/.test(text)) continue;
      const { reference, compiled, gateway } = await askAll(text, ALL, variables);
      expect({ text, ...compiled }).toEqual({ text, ...reference });
      // A gateway adds an error for a reference to an unknown entity. The graph answers null.
      expect({ text, data: gateway.data }).toEqual({ text, data: reference.data });
    }
  });
});
