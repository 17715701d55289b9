import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getOperationAST, getVariableValues, parse, type ExecutionResult } from 'graphql';
import { createCompiler } from '../../src/graph/execution/compiled.ts';
import { createGraph } from '../../src/graph/graph.ts';
import { schemaUrl, SUBGRAPHS } from '../../src/graph/federation/sdl.ts';
import { startHttp, type HttpServer } from '../../src/http/server.ts';
import { oldestWaitingEvent, startRelay } from '../../src/modules/events/index.ts';
import { recordEvent } from '../../src/modules/event-log/index.ts';
import { createHiveGateway, type HiveGateway } from '../gateway/hive-gateway.ts';
import { INSTALL_MS, installApart } from '../support/install-apart.ts';
import { ask, startTestServer, type TestServer } from '../support/server.ts';

type Variables = Readonly<Record<string, unknown>>;
type Question = {
  readonly text: string;
  readonly variables?: Variables;
  readonly scopes?: keyof typeof SCOPES;
  /** False for operations that graphql-js runs: several mutations, where a failed one stops the next. */
  readonly compiled?: boolean;
};

const SCOPES = {
  all: ['*.read', '*.write'],
  events: ['events.read'],
  transactions: ['transactions.read', 'transactions.write'],
  writing: ['*.write'],
} as const;

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

const CARD = `card { scheme bin lastFour expirationDate fingerprint }`;
const MONEY = `capturable { amount currency } refundable { amount currency }`;
const USER_ERRORS = `userErrors { __typename code message path ... on OperationNotAllowed { status }
  ... on CaptureTooLarge { capturable { amount currency } } ... on RefundTooLarge { refundable { amount } }
  ... on IdempotencyKeyReused { differingPaths } }`;
const PAY = `mutation ($input: CreateTransactionInput!, $key: String) { createTransaction(input: $input, idempotencyKey: $key) {
  transaction { id status ${CARD} ${MONEY} paymentService { id displayName } captures { id } } ${USER_ERRORS} replayed } }`;
const payment = (amount: number, more: Variables = {}): Variables => ({
  amount,
  currency: 'USD',
  paymentMethod: { card: { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '100' } },
  ...more,
});

const OPTIONS = {
  'mock-card': { '"); throw 1; ("': ['${1}', 1.5, null, { 'a b': true }] },
  'adyen-card': null,
};
const ITEMS = [
  { name: 'Socks', quantity: 1, unitAmount: 1299, categories: ['a', 'b'], productType: 'PHYSICAL' },
];
const CARRY = `mutation ($options: JSONObject, $items: [CartItemInput!]) { createTransaction(idempotencyKey: "carrying", input: {
  amount: 1299, currency: "USD", paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40" } },
  threeDSecure: { amount: 1300 }, shippingDetails: { address: { city: "Bonn" } }, store: true, cartItems: $items,
  buyer: { billingDetails: { taxId: { value: "1", kind: EU_VAT } } }, connectionOptions: $options }) { transaction { id
  reconciliationId threeDSecure { amount } connectionOptions shippingDetails { address { city } } approvalExpiresAt store
  cartItems { amount { currency value } categories productType } buyer { billingDetails { taxId { value kind } } } } replayed } }`;

/** Requests with the same data from all three. `makeRecords` names their ids. */
const ANSWERED: readonly [what: string, Question][] = [
  [
    'a list with both of its shapes',
    {
      text: `{ transactions(first: 3) { edges { cursor node { id status } } nodes { amount ${CARD} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    },
  ],
  [
    'a list backwards, filtered',
    {
      text: '{ transactions(last: 1, sort: AMOUNT_ASC, filter: { status: [CAPTURE_SUCCEEDED, AUTHORIZATION_VOIDED], amountGte: 1 }) { nodes { id status intent intentOutcome operations { kind } attempts { choice } events(first: 2) { nodes { name context } } } } }',
    },
  ],
  [
    'pages by cursor',
    {
      text: 'query ($after: String) { events(first: 4, after: $after) { nodes { sequence cursor } pageInfo { hasNextPage endCursor } } }',
      variables: { after: '$cursor' },
    },
  ],
  [
    'a join from events to services and captures',
    {
      text: `{ events(first: 100, types: ["transaction.*", "capture.*", "refund.*", "api-key-pair.*"]) { nodes { sequence name createdAt target { type id } payload transaction { id status ${MONEY} paymentService { displayName acceptedCurrencies } captures { id amount status capturedAt } refunds { amount reason } } } } }`,
    },
  ],
  [
    'a join from transactions to services, deleted ones included, and to deliveries',
    {
      text: '{ transactions(first: 50) { nodes { id feedEvents(first: 3) { nodes { name deliveries(first: 1) { state webhookEndpoint { url } } } pageInfo { hasNextPage endCursor } } paymentService { id isDeleted active status merchantProfile { scheme } fields { key value } } } } }',
    },
  ],
  [
    'a reference of which only the key is asked',
    {
      text: '{ events { nodes { transaction { id } } } transactions { nodes { paymentService { id __typename } } } }',
    },
  ],
  [
    'fragments, named and inline, that overlap',
    {
      text: `query { transaction(id: "$captured") { ...A ... on Transaction { amount paymentService { id } } ...B } }
    fragment A on Transaction { id amount paymentService { displayName } } fragment B on Transaction { card { bin } ...A }`,
    },
  ],
  [
    'aliases of one field with other arguments',
    {
      text: '{ captured: transaction(id: "$captured") { state: status id } voided: transaction(id: "$voided") { state: status id } none: transaction(id: "$unknown") { id } }',
    },
  ],
  [
    'variables with defaults, skip and include',
    {
      text: `query ($id: ID!, $with: Boolean = true, $without: Boolean!) { transaction(id: $id) {
    id paymentService @include(if: $with) { displayName } captures @skip(if: $without) { id } metadata buyer { displayName billingDetails { address { postalCode } } } } }`,
      variables: { id: '$captured', without: true },
    },
  ],
  [
    'all that a service has',
    {
      text: '{ paymentServices(deleted: true) { nodes { id type method displayName position acceptedCountries webhookUrl createdAt updatedAt reportingFields { key } } } }',
    },
  ],
  [
    'the catalogue',
    {
      text: '{ paymentServiceDefinitions { id fields { key format required secret } supportedFeatures { name supported } } paymentServiceDefinition(id: "mock-card") { id } nothing: paymentServiceDefinition(id: "x") { id } }',
    },
  ],
  [
    'records of four subgraphs in one request',
    {
      text: '{ merchantAccounts { nodes { id displayName createdAt } } apiKeyPairs { nodes { id algorithm scopes expiresAt } } webhookEndpoints { nodes { url state eventNames } } paymentServices { nodes { id } } transactions { nodes { id } } events { nodes { id } } }',
    },
  ],
  [
    'ids that name nothing, or are none',
    {
      text: `{ a: transaction(id: "$unknown") { id } b: transaction(id: "x") { id } c: paymentService(id: "$captured") { id }
    d: webhookEndpoint(id: "") { id } e: apiKeyPair(id: "$unknown") { id } f: merchantAccount(id: "nobody") { id } }`,
    },
  ],
  [
    'type names everywhere',
    {
      text: '{ __typename transactions(first: 1) { __typename nodes { __typename card { __typename } paymentService { __typename } } } }',
    },
  ],
  [
    'a payment that is answered from its record',
    { text: PAY, variables: { input: payment(1299), key: 'paid' } },
  ],
  [
    'a declined payment that is answered from its record',
    { text: PAY, variables: { input: payment(200_011), key: 'declined' } },
  ],
  [
    'a payment with all that it can carry, answered from its record',
    { text: CARRY, variables: { options: OPTIONS, items: ITEMS } },
  ],
  [
    'a capture that is answered from its record',
    {
      text: `mutation { captureTransaction(id: "$captured", idempotencyKey: "captured") { capture { id amount status capturedAt } transaction { id status capturedAmount } ${USER_ERRORS} replayed } }`,
    },
  ],
  [
    'a key that is used with other input',
    { text: PAY, variables: { input: payment(1300, { currency: 'EUR' }), key: 'paid' } },
  ],
  [
    'several refused values, all listed',
    {
      text: PAY,
      variables: { input: payment(-1, { currency: 'usd', country: 'USA', metadata: { a: 'b' } }), key: 'r' },
    },
  ],
  [
    'a capture that is not allowed',
    { text: `mutation { captureTransaction(id: "$voided", idempotencyKey: "l") { ${USER_ERRORS} } }` },
  ],
  [
    'a capture that is too large',
    {
      text: `mutation { captureTransaction(id: "$authorized", input: { amount: 99999999 }, idempotencyKey: "too much") { capture { id } transaction { id } ${USER_ERRORS} } }`,
    },
  ],
  [
    'a refund that is too large',
    {
      text: `mutation ($amount: Int) { refundTransaction(id: "$captured", input: { amount: $amount }, idempotencyKey: "too much back") { refund { id } ${USER_ERRORS} } }`,
      variables: { amount: 1200 },
    },
  ],
  [
    'several mutations of one subgraph',
    {
      text: `mutation { a: voidTransaction(id: "$unknown", idempotencyKey: "a") { void { id } ${USER_ERRORS} } b: voidTransaction(id: "$voided", idempotencyKey: "b") { ${USER_ERRORS} } }`,
      compiled: false,
    },
  ],
  [
    'a change that is made again',
    {
      text: 'mutation ($id: ID!) { deletePaymentService(id: $id) { paymentService { id isDeleted } userErrors { code } } }',
      variables: { id: '$deleted' },
    },
  ],
  [
    'a payment with a service of which only the key is asked, by a token that may not read services',
    {
      text: `mutation { createTransaction(input: { amount: 1299, currency: "USD", paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "12/40", securityCode: "100" } } }, idempotencyKey: "paid") { transaction { id status paymentService { id } } replayed } }`,
      scopes: 'transactions',
    },
  ],
];

/** Requests with errors of the same code, path and message, and with the same data beside them. */
const REFUSED: readonly [what: string, code: string, Question][] = [
  ['a list without its scope', 'FORBIDDEN', { text: '{ transactions { nodes { id } } }', scopes: 'writing' }],
  [
    'one record without its scope, beside another',
    'FORBIDDEN',
    { text: '{ transaction(id: "$captured") { id } events(first: 1) { nodes { name } } }', scopes: 'events' },
  ],
  [
    'a reference without its scope',
    'FORBIDDEN',
    {
      text: '{ transaction(id: "$captured") { id paymentService { id displayName } captures { amount } } }',
      scopes: 'transactions',
    },
  ],
  [
    'a record in a payload without its scope',
    'FORBIDDEN',
    { text: PAY, variables: { input: payment(1299), key: 'paid' }, scopes: 'writing' },
  ],
  [
    'a mutation without its scope',
    'FORBIDDEN',
    {
      text: `mutation { updatePaymentService(id: "$deleted", input: { displayName: "x" }) { ${USER_ERRORS} } }`,
      scopes: 'events',
    },
  ],
  ['a page that is too large', 'INVALID_INPUT', { text: '{ transactions(first: 101) { nodes { id } } }' }],
  [
    'a page in both directions',
    'INVALID_INPUT',
    { text: '{ paymentServices(first: 1, last: 1) { nodes { id } } }' },
  ],
  [
    'a cursor of another list',
    'INVALID_INPUT',
    {
      text: 'query ($after: String) { transactions(after: $after) { nodes { id } } }',
      variables: { after: '$cursor' },
    },
  ],
  ['a cursor that is none', 'INVALID_INPUT', { text: '{ events(after: "x") { nodes { id } } }' }],
  [
    'a pattern that is none',
    'INVALID_INPUT',
    { text: '{ events(types: ["transaction.*", "?"]) { nodes { id } } }' },
  ],
];

/** Requests that are refused before they run. */
const INVALID: readonly [what: string, Question][] = [
  ['a field that is not there', { text: '{ transactions { nodes { id secret } } }' }],
  ['an argument of another type', { text: '{ transactions(first: "2") { nodes { id } } }' }],
  ['an argument that is missing', { text: '{ transaction { id } }' }],
  [
    'an enum value that is not there',
    { text: '{ transactions(filter: { status: [PAID] }) { nodes { id } } }' },
  ],
  ['an object without a selection', { text: '{ transactions }' }],
  ['a document that is none', { text: '{ transactions { nodes { id }' }],
  [
    'a variable of another type',
    {
      text: 'query ($first: Int) { transactions(first: $first) { nodes { id } } }',
      variables: { first: '2' },
    },
  ],
  ['a variable that is missing', { text: 'query ($id: ID!) { transaction(id: $id) { id } }' }],
  ['a variable with a field too many', { text: PAY, variables: { input: payment(1299, { amont: 1 }) } }],
];

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
    recordEvent(tx, { merchantAccountId, id, name, createdAt, production: false, target }),
  );
}

async function relayed(): Promise<void> {
  const relay = startRelay(server.app);
  while ((await oldestWaitingEvent(server.app)) !== null) await server.app.clock.sleep(5);
  await relay.stop();
}
