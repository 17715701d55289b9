import { createGraph } from '../../src/graph/graph.ts';
import { cookieOf, pageOf, postSession } from '../sessions/browser-fetch.ts';
import { relayAll } from '../support/relay-all.ts';
import type { TestServer } from '../support/server.ts';
import { makeLaterRecords } from './router-later-records.ts';
import { listArguments } from './router-operations.ts';

/** The ids of records by type, and the cursors of lists as `cursor:<field>`. Null without a record. */
export type Ids = ReadonlyMap<string, string | null>;

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

const CARD = 'card: { number: "4111 1111 1111 1111", expirationDate: "12/40", securityCode: "100" }';

/** Makes a record by a mutation, and keeps its id under a name. */
type Make = (name: string, mutation: string, given: string, record: string) => Promise<string>;

/** Replaces the names of records by their ids. A name without a record fails the test. */
export const withIds = (ids: Ids, text: string): string =>
  text.replace(/"\$([\w:]+)"/g, (_, name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`There is no record "${name}".`);
    return JSON.stringify(id);
  });

/** Makes records of most types. Relays their events, so that nothing changes later by itself. */
export async function makeRecords(server: TestServer): Promise<Ids> {
  const { app } = server;
  const ids = new Map<string, string | null>([
    ['unknown', UNKNOWN],
    ['MerchantAccount', 'default'],
  ]);
  const run = async <Data>(text: string): Promise<Data> => {
    const { body } = await server.graphql<Data>(text);
    if (!body.data || body.errors) throw new Error(`${text}: ${JSON.stringify(body)}`);
    return body.data;
  };
  const make: Make = async (name, mutation, given, record) => {
    type Payload = {
      readonly record: { readonly id: string } | null;
      readonly userErrors: readonly object[];
    };
    const { payload } = await run<{ payload: Payload }>(
      `mutation { payload: ${mutation}(${given}) { record: ${record} { id } userErrors { code message path } } }`,
    );
    if (!payload.record) throw new Error(`${mutation}: ${JSON.stringify(payload.userErrors)}`);
    ids.set(name, payload.record.id);
    return payload.record.id;
  };

  const credentials = '{ key: "merchant_id", value: "shop" }, { key: "api_key", value: "secret" }';
  const service = (definition: string): string =>
    `input: { displayName: "${definition}", paymentServiceDefinitionId: "${definition}", fields: [${credentials}], acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }`;
  const giftCards = await make(
    'GiftCards',
    'createPaymentService',
    service('mock-gift-card'),
    'paymentService',
  );
  await make('PaymentService', 'createPaymentService', service('mock-card'), 'paymentService');
  await make(
    'WebhookEndpoint',
    'createWebhookEndpoint',
    'input: { url: "https://shop.example/hooks" }',
    'webhookEndpoint',
  );
  await make(
    'ApiKeyPair',
    'createApiKeyPair',
    'input: { displayName: "K", scopes: ["*.read"] }',
    'apiKeyPair',
  );
  await make(
    'AntiFraudService',
    'createAntiFraudService',
    `input: { displayName: "A", antiFraudServiceDefinitionId: "mock-anti-fraud", active: false, fields: [${credentials}] }`,
    'antiFraudService',
  );
  const scenario = (name: string): string =>
    `input: { conditions: { firstName: "${name}" }, outcome: { authentication: Y } }`;
  await make('ThreeDSScenario', 'createThreeDSScenario', scenario('Ada'), 'threeDSScenario');
  await make('OtherScenario', 'createThreeDSScenario', scenario('Bob'), 'threeDSScenario');

  const buyer = await make(
    'Buyer',
    'createBuyer',
    'input: { displayName: "Ada", externalIdentifier: "ada" }',
    'buyer',
  );
  await make(
    'ShippingDetails',
    'createShippingDetails',
    `buyerId: "${buyer}", input: { firstName: "Ada" }`,
    'shippingDetails',
  );
  await make(
    'PaymentMethod',
    'storePaymentMethod',
    `input: { buyerId: "${buyer}", instrument: { ${CARD} } }`,
    'paymentMethod',
  );
  await make(
    'GiftCard',
    'storeGiftCard',
    `input: { number: "9000000000000001", pin: "01234", buyerId: "${buyer}", paymentServiceId: "${giftCards}" }`,
    'giftCard',
  );
  await make(
    'PaymentLink',
    'createPaymentLink',
    'input: { amount: 1299, currency: "USD", country: "US" }',
    'paymentLink',
  );

  const pay = (name: string, more = ''): Promise<string> =>
    make(
      name,
      'createTransaction',
      `input: { amount: 1299, currency: "USD", paymentMethod: { ${CARD} } ${more} }`,
      'transaction',
    );
  await pay('KeptToCapture');
  await pay('KeptToIncrease');
  await pay('KeptToVoid');
  const paid = await pay(
    'Transaction',
    `buyerId: "${buyer}", metadata: { order: "7" }, externalIdentifier: "7"`,
  );
  const captured = await make('Capture', 'captureTransaction', `id: "${paid}"`, 'capture');
  ids.set('Operation', captured);
  await make('Refund', 'refundTransaction', `id: "${paid}", input: { amount: 300 }`, 'refund');
  ids.set('RefundApproval', await askForRefund(server, paid));
  const { dispute, settlement, difference, unreadWebhook } = await makeLaterRecords(server, run);
  ids.set('Dispute', dispute);
  ids.set('Settlement', settlement);
  ids.set('Difference', difference);
  ids.set('UnreadWebhook', unreadWebhook);
  await makeRoutingRecords(make);
  await make('Export', 'createExport', 'input: { type: LEDGER, format: CSV }', 'export');
  await relayAll(app);
  await make(
    'ReplayJob',
    'replayEvents',
    `input: { webhookEndpointId: "${ids.get('WebhookEndpoint') ?? ''}", scope: ALL }`,
    'replayJob',
  );

  const { events } = await run<{ events: { nodes: readonly { id: string }[] } }>(
    '{ events(first: 1) { nodes { id } } }',
  );
  ids.set('Event', events.nodes[0]?.id ?? null);
  for (const field of pagedFields()) {
    const { list } = await run<{ list: { pageInfo: { endCursor: string | null } } }>(
      withIds(ids, `{ list: ${field.name}${listArguments(field, 'first: 1')} { pageInfo { endCursor } } }`),
    );
    ids.set(`cursor:${field.name}`, list.pageInfo.endCursor);
  }
  return ids;
}

/** Makes a value set, and a rule set whose second version uses it, decides and is simulated. The order of positions stays. */
async function makeRoutingRecords(make: Make): Promise<void> {
  const valueSet = await make(
    'RoutingValueSet',
    'createRoutingValueSet',
    'input: { name: "America", kind: COUNTRY, values: ["US", "CA"] }',
    'routingValueSet',
  );
  const ruleSet = await make(
    'RoutingRuleSet',
    'createRoutingRuleSet',
    'input: { name: "Cards" }',
    'routingRuleSet',
  );
  const version = (conditions: string): Promise<string> =>
    make(
      'RoutingRuleSetVersion',
      'createRoutingRuleSetVersion',
      `ruleSetId: "${ruleSet}", input: { rules: [{ name: "All", conditions: [${conditions}], action: { positions: true } }] }`,
      'routingRuleSetVersion',
    );
  await version('');
  const active = await version(`{ fact: { countryIn: "${valueSet}" } }`);
  await make(
    'RoutingActivation',
    'activateRoutingRuleSet',
    `input: { versionId: "${active}" }`,
    'routingActivation',
  );
  await make(
    'RoutingSimulation',
    'simulateRouting',
    `input: { versionId: "${active}", from: "${new Date(Date.now() - 86_400_000).toISOString()}" }`,
    'routingSimulation',
  );
}

/** Asks for a refund as the person of the sandbox, who may refund nothing alone. Returns the id of the request. */
async function askForRefund(server: TestServer, id: string): Promise<string> {
  const own = pageOf({ url: new URL(server.app.publicUrl).origin });
  const cookie = cookieOf(await postSession(server, own));
  const { body } = await server.graphql<{ asked: { approval: { id: string } | null } }>(
    'mutation ($id: ID!) { asked: refundTransaction(id: $id, input: { amount: 100 }) { approval { id } } }',
    { id },
    { token: null, headers: { ...own, cookie } },
  );
  const approval = body.data?.asked.approval;
  if (!approval) throw new Error(`refundTransaction: ${JSON.stringify(body)}`);
  return approval.id;
}

const pagedFields = () =>
  Object.values(createGraph().schema.getQueryType()?.getFields() ?? {}).filter(({ args }) =>
    args.some(({ name }) => name === 'last'),
  );
