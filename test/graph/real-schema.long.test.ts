import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getOperationAST, getVariableValues, parse, type ExecutionResult } from 'graphql';
import { createCompiler } from '../../src/graph/execution/compiled.ts';
import { createGraph } from '../../src/graph/graph.ts';
import { schemaUrl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import { startHttp, type HttpServer } from '../../src/http/server.ts';
import { oldestWaitingEvent, startRelay } from '../../src/modules/events/index.ts';
import { createHiveGateway, type HiveGateway } from '../gateway/hive-gateway.ts';
import {
  ANSWERED,
  CARRY,
  INVALID,
  ITEMS,
  OPTIONS,
  PAY,
  REFUSED,
  SCOPES,
  payment,
  type Variables,
  type Question,
} from './real-schema-questions.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { recordTestEvent } from '../support/record-test-event.ts';
import { ask, startTestServer, type TestServer } from '../support/server.ts';

const SECRET = 'a secret of at least 32 characters, for routers';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let server: TestServer;
/** The same service on the same database. graphql-js runs its every operation. */
let reference: HttpServer;
const tokens = new Map<string, string>();
const gateways = new Map<string, HiveGateway>();
const graph = createGraph();
const compile = createCompiler(graph.schema);

beforeAll(() => installApart('test/gateway'), INSTALL_MS);

beforeAll(async () => {
  server = await startTestServer({
    settings: { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: SECRET },
  });
  const config = { ...server.app.config, PAYGRAPH_EXECUTOR: 'reference' as const };
  reference = await startHttp({ ...server.app, config }, graph, { checks: {} });
  const supergraphSdl = readFileSync(schemaUrl('supergraph'), 'utf8');
  const urls = Object.fromEntries(SUBGRAPHS.map((name) => [name, `${server.url}/subgraphs/${name}`]));
  for (const [name, scopes] of Object.entries(SCOPES)) {
    const token = await server.mint({ scopes });
    const headers = { 'x-router-secret': SECRET, authorization: `Bearer ${token}` };
    tokens.set(name, token);
    gateways.set(name, await createHiveGateway({ supergraphSdl, urls, headers }));
  }
  await makeRecords();
});

afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
  await reference.close();
  await server.stop();
});

describe('the real schema, compiled, by graphql-js and behind a router', () => {
  it.each(ANSWERED)('answers %s', async (_what, question) => {
    const { query, values, compiled, byReference, behindRouter } = await askAll(question);

    expect(isCompiled(query, values)).toBe(question.compiled ?? true);
    expect(byReference.errors).toEqual([]);
    expect(compiled).toEqual([byReference, byReference, byReference]);
    expect(behindRouter).toEqual(byReference);
  });

  it.each(REFUSED)('refuses %s', async (_what, code, question) => {
    const { query, values, compiled, byReference, behindRouter } = await askAll(question);

    expect(isCompiled(query, values)).toBe(true);
    expect(byReference.errors).toMatchObject([{ code }]);
    expect(compiled).toEqual([byReference, byReference, byReference]);
    expect(behindRouter).toEqual(byReference);
  });

  it('answers null for a reference to an unknown entity', async () => {
    const text =
      '{ events(types: ["gift-card.deleted"]) { nodes { name target { id } transaction { id status } } } }';

    const { compiled, byReference, behindRouter } = await askAll({ text });

    const nodes = [{ name: 'gift-card.deleted', target: { id: UNKNOWN }, transaction: null }];
    expect(byReference).toEqual({ data: { events: { nodes } }, errors: [] });
    expect(compiled).toEqual([byReference, byReference, byReference]);
    expect(behindRouter.data).toEqual(byReference.data);
  });

  // A router refuses these itself, in its own words. The test compares only that it refuses, and that nothing runs.
  it.each(INVALID)('does not run %s', async (_what, question) => {
    const { compiled, byReference, behindRouter } = await askAll(question);

    expect(byReference.data).toBeUndefined();
    expect(byReference.errors).toHaveLength(1);
    expect(compiled).toEqual([byReference, byReference, byReference]);
    expect(behindRouter.data).toBeUndefined();
    expect(behindRouter.errors.length).toBeGreaterThan(0);
  });
});

type Answered = Pick<ExecutionResult, 'data'> & { readonly errors?: readonly Failure[] };
type Failure = {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
};

type Shown = { readonly code?: string; readonly path?: unknown; readonly message: string };

/**
 * Returns the compared part: the data, and each error's code, message and path down to its null. These may differ:
 *
 * - The rest of a path, and the number of errors for one null. The graph fails a reference, a router each field that
 *   it needs.
 * - Places in the document, because a router writes its own documents.
 * - An error's other extensions, because a router adds some.
 * - The order of errors.
 */
function essence({ data, errors = [] }: Answered) {
  const shown = errors.map(({ message, path, extensions }) =>
    JSON.stringify({ code: extensions?.['code'], path: path && placeOf(data, path), message }),
  );
  return { data, errors: [...new Set(shown)].sort().map((text) => JSON.parse(text) as Shown) };
}

/** Returns the path up to its null. */
function placeOf(data: unknown, path: readonly (string | number)[]): readonly (string | number)[] {
  let value = data;
  const end = path.findIndex((key) => {
    if (value === null || value === undefined) return true;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
    return false;
  });
  return end === -1 ? path : path.slice(0, end);
}

/** Sends a request to all three. The compiler gets three requests, because it compiles a repeated operation. */
async function askAll({ text, variables = {}, scopes = 'all' }: Question) {
  const query = withIds(text);
  const values = JSON.parse(withIds(JSON.stringify(variables))) as Variables;
  const token = tokens.get(scopes) ?? '';
  const at = async (url: string) => essence((await ask(url, token)(query, values)).body);
  const compiled = [await at(server.url), await at(server.url), await at(server.url)];
  const byReference = await at(reference.url);
  const behindRouter = essence((await gateways.get(scopes)?.query(query, values)) as Answered);
  return { query, values, compiled, byReference, behindRouter };
}

/** Tells whether an operation can be compiled at all. */
function isCompiled(query: string, variables: Variables): boolean {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) return false;
  const { coerced } = getVariableValues(graph.schema, operation.variableDefinitions ?? [], variables);
  return coerced !== undefined && compile(document, operation, coerced) !== null;
}

const ids = new Map<string, string>([['unknown', UNKNOWN]]);

/** Replaces records' names by their ids: `"$captured"`. */
const withIds = (text: string): string =>
  text.replace(/"\$(\w+)"/g, (_, name: string) => JSON.stringify(ids.get(name) ?? name));

async function makeRecords(): Promise<void> {
  const run = async <Data>(text: string, variables: Variables = {}): Promise<Data> => {
    const { body } = await server.graphql<Data>(withIds(text), variables);
    if (!body.data || body.errors) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const service = async (name: string): Promise<void> => {
    const made = await run<{ createPaymentService: { paymentService: { id: string } } }>(
      `mutation ($name: String!) { createPaymentService(input: { displayName: $name, paymentServiceDefinitionId: "mock-card",
        fields: [{ key: "merchant_id", value: "shop" }, { key: "api_key", value: "secret" }], acceptedCurrencies: ["USD"],
        acceptedCountries: ["US"], merchantProfile: [{ scheme: VISA, merchantAcquirerBin: "1", merchantAcquirerId: "2",
        merchantName: "Shop", merchantCountryCode: "840", merchantCategoryCode: "1234", merchantUrl: "https://shop.example" }] }) {
        paymentService { id } } }`,
      { name },
    );
    ids.set(name, made.createPaymentService.paymentService.id);
  };
  const pay = async (name: string, amount: number, more: Variables = {}): Promise<void> => {
    const variables = { input: payment(amount, more), key: name };
    const made = await run<{ createTransaction: { transaction: { id: string } } }>(PAY, variables);
    ids.set(name, made.createTransaction.transaction.id);
  };
  await service('kept');
  await pay('paid', 1299);
  await service('deleted');
  await pay('captured', 1299, {
    metadata: { order: '7' },
    paymentServiceId: ids.get('deleted'),
    buyer: { displayName: 'B', billingDetails: { address: { postalCode: '12377' } } },
  });
  await run(CARRY, { options: OPTIONS, items: ITEMS });
  await pay('voided', 500);
  await pay('authorized', 700);
  await pay('declined', 200_011);
  await run(
    'mutation { captureTransaction(id: "$captured", idempotencyKey: "captured") { capture { id } } }',
  );
  await run(
    'mutation { refundTransaction(id: "$captured", input: { amount: 300, reason: "r" }) { refund { id } } }',
  );
  await run('mutation { voidTransaction(id: "$voided") { void { id } } }');
  await run('mutation { deletePaymentService(id: "$deleted") { paymentService { id } } }');
  await run(
    'mutation { createWebhookEndpoint(input: { url: "https://shop.example/hooks", eventNames: ["transaction.*"] }) { secret } }',
  );
  await run('mutation { createApiKeyPair(input: { displayName: "K", scopes: ["*.read"] }) { privateKey } }');
  await record('api-key-pair.updated', { type: 'merchant-account', id: 'default' });
  await record('gift-card.deleted', { type: 'transaction', id: UNKNOWN });
  await relayed();
  const { events } = await run<{ events: { pageInfo: { endCursor: string } } }>(
    '{ events(first: 2) { pageInfo { endCursor } } }',
  );
  ids.set('cursor', events.pageInfo.endCursor);
}

async function record(name: string, target: { readonly type: string; readonly id: string }): Promise<void> {
  const { app, merchantAccountId } = server;
  const [id, createdAt] = [app.ids.uuid(), app.clock.now()];
  await app.db.transaction((tx) =>
    recordTestEvent(tx, { merchantAccountId, id, name, createdAt, production: false, target }),
  );
}

async function relayed(): Promise<void> {
  const relay = startRelay(server.app);
  while ((await oldestWaitingEvent(server.app)) !== null) await server.app.clock.sleep(5);
  await relay.stop();
}
