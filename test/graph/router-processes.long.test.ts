import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, validate, type ExecutionResult } from 'graphql';
import { createGraph } from '../../src/graph/graph.ts';
import { schemaUrl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import { connectors } from '../../src/connectors/index.ts';
import { startRelay } from '../../src/modules/events/index.ts';
import { createHiveGateway, type HiveGateway } from '../gateway/hive-gateway.ts';
import { createTestDatabase } from '../support/database.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { relayAll } from '../support/relay-all.ts';
import { ask, startTestServer, type TestServer } from '../support/server.ts';
import {
  CARRIED_OUT,
  forbiddenMutationsOf,
  forbiddenQueriesOf,
  queriesOf,
  refusedMutationsOf,
  REPEATABLE,
  type RouterOperation,
} from './router-operations.ts';
import { makeRecords, withIds, type Ids } from './router-records.ts';

const SECRET = 'a secret of at least 32 characters, for routers';

/** The settings of all processes. They have one address, so that the links in records are equal. */
const SETTINGS = {
  PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
  PAYGRAPH_PUBLIC_URL: 'https://pay.example.com',
  // A person may refund nothing alone, so a request for a refund is among the records.
  PAYGRAPH_REFUND_APPROVAL: '*:0',
};

/** The scopes of each token. A token with `nothing` may run no other operation of the test. */
const SCOPES = { all: ['*.read', '*.write'], nothing: ['nothing.read'] } as const;

type Caller = keyof typeof SCOPES;

const { schema } = createGraph();

let server: TestServer;
const processes = new Map<string, ServerProcess>();
const tokens = new Map<Caller, string>();
const gateways = new Map<Caller, HiveGateway>();
let ids: Ids;

beforeAll(() => installApart('test/gateway'), INSTALL_MS);

beforeAll(async () => {
  const database = await createTestDatabase();
  server = await startTestServer({ database, settings: SETTINGS, connectors });
  ids = await makeRecords(server);
  for (const name of SUBGRAPHS)
    processes.set(
      name,
      await startProcess({
        ...{ ...SETTINGS, DATABASE_URL: database.url, PAYGRAPH_ROLES: 'api' },
        ...{ DATABASE_POOL: '4', DATABASE_READ_POOL: '4', PAYGRAPH_READ_TIMEOUT_MS: '60000' },
        ...{ PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET },
        ...{
          PAYGRAPH_REQUESTS_PER_SECOND: 'off',
          PAYGRAPH_COST_PER_SECOND: 'off',
          PAYGRAPH_LATE_WORK_MS: 'off',
        },
      }),
    );
  const supergraphSdl = readFileSync(schemaUrl('supergraph'), 'utf8');
  const urls = Object.fromEntries(
    [...processes].map(([name, { url }]) => [name, `${url}/subgraphs/${name}`]),
  );
  for (const caller of ['all', 'nothing'] as const) {
    const token = await server.mint({ scopes: SCOPES[caller] });
    const headers = { 'x-router-secret': SECRET, authorization: `Bearer ${token}` };
    tokens.set(caller, token);
    gateways.set(caller, await createHiveGateway({ supergraphSdl, urls, headers }));
  }
}, 300_000);

afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
  await Promise.all([...processes.values()].map((each) => each.stop()));
  await server.stop();
});

const QUERIES = queriesOf(schema);
const REFUSED = refusedMutationsOf(schema);
const FORBIDDEN = [...forbiddenQueriesOf(schema), ...forbiddenMutationsOf(schema)];

const named = (operations: readonly RouterOperation[]) =>
  operations.map((operation) => [operation.name, operation] as const);

it('starts one process for each subgraph, and asks at least 150 operations', () => {
  expect(processes.size).toBe(SUBGRAPHS.length);
  expect(new Set([...processes.values()].map(({ pid }) => pid)).size).toBe(SUBGRAPHS.length);
  const all = [...QUERIES, ...REFUSED, ...FORBIDDEN, ...CARRIED_OUT, ...REPEATABLE];
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(all.filter(({ text }) => validate(schema, parse(text)).length > 0)).toEqual([]);
});

describe('a router before the subgraphs, and the graph in one process', () => {
  it.each(named(QUERIES))('answer alike: %s', async (_, { text }) => {
    const byGraph = await byOneProcess(text);

    expect(await byRouter(text)).toEqual(byGraph);
  });

  it.each(named(FORBIDDEN))('forbid alike: %s', async (_, { text }) => {
    const byGraph = await byOneProcess(text, 'nothing');

    expect(byGraph.codes).toEqual(['FORBIDDEN']);
    expect(await byRouter(text, 'nothing')).toEqual(byGraph);
  });

  it.each(named(REFUSED))('refuse alike: %s', async (_, { text }) => {
    const byGraph = await byOneProcess(text);

    expect(JSON.stringify(byGraph.data)).toContain('"userErrors":[{');
    expect(await byRouter(text)).toEqual(byGraph);
  });

  it.each(named(CARRIED_OUT).map(([name, operation], index) => [name, index % 2 === 0, operation] as const))(
    'repeat alike: %s, carried out by the router: %s',
    async (_, isByRouter, { text }) => {
      const first = await (isByRouter ? byRouter(text) : byOneProcess(text));
      const byGraph = await byOneProcess(text);

      expect(JSON.stringify(first.data)).toContain('"userErrors":[],"replayed":false');
      expect(JSON.stringify(byGraph.data)).toContain('"userErrors":[],"replayed":true');
      expect(first.codes).toEqual([]);
      expect(await byRouter(text)).toEqual(byGraph);
    },
  );

  it.each(named(REPEATABLE))('change alike: %s', async (_, { text }) => {
    const first = await byRouter(text);
    const byGraph = await byOneProcess(text);

    expect(first.data).not.toBeNull();
    expect(await byRouter(text)).toEqual(byGraph);
  });

  it('send the same events to a subscriber, each with fields of other subgraphs', async () => {
    await relayAll(server.app);
    const { data } = await byOneProcess('{ events { head } }');
    const { head } = (data as { readonly events: { readonly head: string } }).events;
    const events = gateways
      .get('all')
      ?.subscribe(
        `subscription { events(after: "${head}", types: ["transaction.*"]) { name transaction { id status paymentService { displayName } } } }`,
      );
    const first = events?.next();
    const relay = startRelay(server.app);
    try {
      const paid = await byOneProcess(
        'mutation { createTransaction(input: { amount: 777, currency: "USD", paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } } }) { transaction { id status } } }',
      );
      const { transaction } = (
        paid.data as { createTransaction: { transaction: { id: string; status: string } } }
      ).createTransaction;

      expect(await first).toMatchObject({
        value: {
          data: {
            events: {
              name: 'transaction.authorized',
              transaction: { ...transaction, paymentService: { displayName: expect.any(String) } },
            },
          },
        },
      });
    } finally {
      await events?.return(undefined);
      await relay.stop();
    }
  });
});

/** The compared part of an answer: the data, and the set of codes. A router names places in errors by its own plan. */
type Essence = { readonly data: unknown; readonly codes: readonly string[] };

function essence({
  data,
  errors = [],
}: Pick<ExecutionResult, 'data'> & { readonly errors?: readonly object[] }): Essence {
  const codes = errors.map((error) => {
    const { extensions } = error as { readonly extensions?: { readonly code?: string } };
    return extensions?.code ?? 'none';
  });
  return { data: JSON.parse(JSON.stringify(data ?? null)) as unknown, codes: [...new Set(codes)].sort() };
}

async function byOneProcess(text: string, caller: Caller = 'all'): Promise<Essence> {
  const { body } = await ask(server.url, tokens.get(caller) ?? '')(withIds(ids, text));
  return essence(body);
}

const byRouter = async (text: string, caller: Caller = 'all'): Promise<Essence> =>
  essence((await gateways.get(caller)?.query(withIds(ids, text))) ?? {});
