import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import {
  auditColumns,
  buyerColumns,
  eventColumns,
  paymentLinkColumns,
  paymentMethodColumns,
  paymentServiceColumns,
} from '../../src/graph/resolvers/columns.ts';
import { readFile } from 'node:fs/promises';
import { relayAll } from '../support/relay-all.ts';
import { CARD, startHarness, type Harness } from '../transactions/harness.ts';

// Lists and look-ups read the columns that the selection needs. The fields of a line must answer what they answer in a whole row.

let harness: Harness;
let schema: GraphQLSchema;
let paymentId: string;

const BUYER = {
  displayName: 'Jane',
  externalIdentifier: 'jane',
  accountNumber: 'J-1',
  billingDetails: { firstName: 'Jane', address: { city: 'London', country: 'GB' } },
};
const LINK = {
  ...{ amount: 1299, currency: 'USD', country: 'US', metadata: { cart: '7' }, merchantName: 'Shop' },
  cartItems: [{ name: 'Shoe', quantity: 1, unitAmount: 1299 }],
};

beforeAll(async () => {
  harness = await startHarness();
  schema = buildSchema(await readFile('schema/api.graphql', 'utf8'), { assumeValidSDL: true });
  const { createBuyer } = await harness.ask<{ createBuyer: { buyer: { id: string } } }>(
    'mutation ($input: CreateBuyerInput!) { createBuyer(input: $input) { buyer { id } } }',
    { input: BUYER },
  );
  const { id: buyerId } = createBuyer.buyer;
  await harness.ask(
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { userErrors { message } } }',
    { input: { url: 'https://example.com/hook' } },
  );
  const paid = await harness.create({ currency: 'USD', paymentMethod: { card: CARD }, buyerId, store: true });
  paymentId = paid.transaction?.id ?? '';
  await harness.ask(
    'mutation ($input: CreatePaymentLinkInput!) { createPaymentLink(input: $input) { userErrors { message } } }',
    { input: LINK },
  );
  await relayAll(harness.server.app);
});
afterAll(() => harness.stop());

/** The places of a type: the fields of a line, a field that needs the whole row, and the query. */
const PLACES = [
  [
    'Buyer',
    buyerColumns,
    'billingDetails { firstName }',
    (of: string) => `{ buyers(first: 1) { nodes { ${of} } } }`,
  ],
  [
    'Buyer',
    buyerColumns,
    'billingDetails { firstName }',
    (of: string) => `{ transactions { nodes { buyerRecord { ${of} } } } }`,
  ],
  [
    'PaymentMethod',
    paymentMethodColumns,
    'usageCount',
    (of: string) => `{ paymentMethods { edges { node { ${of} } } } }`,
  ],
  [
    'PaymentMethod',
    paymentMethodColumns,
    'usageCount',
    (of: string) => `{ transactions { nodes { paymentMethod { ${of} } } } }`,
  ],
  [
    'PaymentMethod',
    paymentMethodColumns,
    'usageCount',
    (of: string) => `{ buyers { nodes { paymentMethods { ${of} } } } }`,
  ],
  [
    'PaymentService',
    paymentServiceColumns,
    'statusReason',
    (of: string) => `{ transactions { nodes { paymentService { ${of} } } } }`,
  ],
  [
    'PaymentService',
    paymentServiceColumns,
    'statusReason',
    (of: string) => `{ paymentServices { nodes { ${of} } } }`,
  ],
  ['PaymentLink', paymentLinkColumns, 'merchantName', (of: string) => `{ paymentLinks { nodes { ${of} } } }`],
  ...[
    (of: string) => `{ events(first: 100) { nodes { ${of} } } }`,
    (of: string) => `{ events(last: 100) { edges { node { ${of} } } } }`,
    (of: string) => `{ events(last: 100, types: ["transaction.*"]) { nodes { ${of} } } }`,
    (of: string) =>
      `{ events(first: 9, target: { type: "transaction", id: "${paymentId}" }) { nodes { ${of} } } }`,
    (of: string) => `{ transactions { nodes { feedEvents { nodes { ${of} } } } } }`,
    (of: string) =>
      `{ webhookEndpoints(first: 2) { nodes { deliveries(first: 9) { nodes { event { ${of} } } } } } }`,
    (of: string) =>
      `{ webhookEndpoints(first: 2) { nodes { deliveries(first: 9) { edges { node { event { ${of} } } } } } } }`,
    (of: string) => `{ events(first: 9) { nodes { deliveries(first: 2) { event { ${of} } } } } }`,
  ].map((place) => ['Event', eventColumns, 'payload', place] as const),
  ['AuditEntry', auditColumns, 'before', (of: string) => `{ auditLog { nodes { ${of} } } }`],
  [
    'AuditEntry',
    auditColumns,
    'after',
    (of: string) => `{ auditLog(filter: { action: "buyer.*" }) { edges { node { ${of} } } } }`,
  ],
] as const;

describe.each(PLACES)('%s (%#)', (type, { lineFields }, whole, place) => {
  it('answers with the columns of a line as with a whole row', async () => {
    const line = fieldsOf(type).filter(({ name }) => lineFields.has(name));
    const selection = line.map(({ name, type: of }) =>
      isLeafType(getNamedType(of)) ? name : `${name} { __typename }`,
    );
    const answered = JSON.stringify(await harness.ask(place(selection.join(' '))));
    const both = await harness.ask(place(`whole: ${whole} ${selection.join(' ')}`));

    expect(line.map(({ name }) => name).sort()).toEqual(
      [...lineFields].filter((name) => name !== '__typename').sort(),
    );
    expect(answered).toContain('"id":');
    expect(answered).toBe(
      JSON.stringify(both, (key, value: unknown) => (key === 'whole' ? undefined : value)),
    );
  });
});

function fieldsOf(type: string): readonly GraphQLField<unknown, unknown>[] {
  const found = schema.getType(type);
  if (!isObjectType(found)) throw new Error(`There is no ${type}`);
  return Object.values(found.getFields());
}
