import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, getNamedType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { CARD, startHarness, type Harness } from './harness.ts';

// A list reads the columns that its selection needs. Each field must answer alone what it answers in a whole row.

let harness: Harness;
let schema: GraphQLSchema;

const CREATE = `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) { transaction { id } } }`;
const CAPTURE = `mutation ($id: ID!, $input: CaptureInput!) {
  captureTransaction(id: $id, input: $input) { userErrors { code } } }`;
const REFUND = `mutation ($id: ID!, $input: RefundInput!) {
  refundTransaction(id: $id, input: $input) { userErrors { code } } }`;

beforeAll(async () => {
  harness = await startHarness();
  schema = buildSchema(await readFile('schema/api.graphql', 'utf8'), { assumeValidSDL: true });
  for (const externalIdentifier of ['order-1', 'order-2']) {
    const input = { amount: 1299, currency: 'USD', paymentMethod: { card: CARD }, externalIdentifier };
    const created = await ask<{ createTransaction: { transaction: { id: string } } }>(CREATE, { input });
    const { id } = created.createTransaction.transaction;
    await ask(CAPTURE, { id, input: { amount: 1000, final: false } });
    await ask(REFUND, { id, input: { amount: 300 } });
  }
});
afterAll(() => harness.stop());

async function ask<Data>(query: string, variables: object = {}): Promise<Data> {
  const { body } = await harness.server.graphql<Data>(query, { ...variables });
  if (body.errors || !body.data) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

type Field = GraphQLField<unknown, unknown>;

/** Selects a field with all leaves below it, or below that. */
function selectionOf({ name, type, args }: Field, depth = 2): string | null {
  if (args.some(({ type: given, defaultValue }) => String(given).endsWith('!') && defaultValue === undefined))
    return null;
  const named = getNamedType(type);
  if (!isObjectType(named)) return 'getFields' in named ? null : name;
  if (depth === 0) return null;
  // The lists of a transaction below a list of captures would make the answer too large.
  const inner = named.name === 'Transaction' ? 0 : depth - 1;
  const below = Object.values(named.getFields()).flatMap((field) => selectionOf(field, inner) ?? []);
  return below.length === 0 ? null : `${name} { ${below.join(' ')} }`;
}

const fieldsOf = (type: string): readonly string[] => {
  const found = schema.getType(type);
  if (!isObjectType(found)) throw new Error(`There is no ${type}`);
  return Object.values(found.getFields()).flatMap((field) => selectionOf(field) ?? []);
};

type Nodes = { readonly transactions: { readonly nodes: readonly object[] } };

const list = (selection: string): Promise<Nodes> =>
  ask(`{ transactions(first: 2) { nodes { ${selection} } } }`);

describe('one payment', () => {
  it('answers each field alone as in a whole row', async () => {
    const { transactions } = await list('id');
    const { id } = transactions.nodes[0] as { readonly id: string };
    type One = { readonly transaction: object };
    const one = (selection: string): Promise<One> =>
      ask(`query ($id: ID!) { transaction(id: $id) { ${selection} } }`, { id });
    for (const field of fieldsOf('Transaction')) {
      const { transaction: whole } = await one(`${field} whole: antiFraudFingerprint`);
      const { transaction: alone } = await one(field);

      expect([field, { ...alone, whole: null }]).toEqual([field, whole]);
    }
  }, 30_000);
});

describe('a list of payments', () => {
  it('answers each field alone as in a whole row', async () => {
    const fields = fieldsOf('Transaction');
    expect(fields.length).toBeGreaterThan(60);
    for (const field of fields) {
      const { transactions: whole } = await list(`${field} whole: antiFraudFingerprint`);
      const alone = [await list(field), await list(field)].map(({ transactions }) => transactions.nodes);

      const expected = whole.nodes.map((node) => ({ ...node, whole: undefined }));
      expect([field, JSON.stringify(alone[0])]).toEqual([field, JSON.stringify(expected)]);
      expect([field, alone[1]]).toEqual([field, alone[0]]);
    }
  }, 30_000);

  it.each([
    ['Capture', 'rawResponseCode', (of: string) => `captures { ${of} }`],
    ['Refund', 'rawResponseCode', (of: string) => `refunds { ${of} }`],
    ['Operation', 'rawResponseCode', (of: string) => `operations { ${of} }`],
    ['AuthorizationAttempt', 'rawResponseCode', (of: string) => `attempts { ${of} }`],
    ['TransactionEvent', 'context', (of: string) => `events { nodes { ${of} } }`],
    ['TransactionEvent', 'context', (of: string) => `events { edges { node { ${of} } } }`],
  ])(
    'answers each field of each %s alone as in a whole row',
    async (type, another, below) => {
      const fields = fieldsOf(type);
      expect(fields).toContain('createdAt');
      for (const field of fields) {
        const { transactions: whole } = await list(below(`${field} whole: ${another}`));
        const { transactions: alone } = await list(below(field));

        const without = JSON.parse(
          JSON.stringify(whole.nodes, (key, value: unknown) => (key === 'whole' ? undefined : value)),
        ) as unknown;
        expect([field, alone.nodes]).toEqual([field, without]);
      }
    },
    30_000,
  );

  it.each(['CREATED_AT_DESC', 'UPDATED_AT_ASC', 'AMOUNT_DESC'])(
    'gives cursors by %s whatever it selects, and goes on behind them',
    async (sort) => {
      type Page = { transactions: { edges: { cursor: string; node: { id: string } }[] } };
      const page = (selection: string, after: string | null): Promise<Page> =>
        ask(
          `query ($after: String) { transactions(first: 1, after: $after, sort: ${sort}) {
             edges { cursor node { ${selection} } } pageInfo { endCursor } } }`,
          { after },
        );
      const [brief, whole] = [await page('id', null), await page('id metadata', null)];
      const cursor = brief.transactions.edges[0]?.cursor ?? '';

      expect(cursor).toBe(whole.transactions.edges[0]?.cursor);
      expect((await page('id', cursor)).transactions.edges[0]?.node).toEqual({
        id: (await page('id metadata', cursor)).transactions.edges[0]?.node.id,
      });
    },
  );

  it('reads through fragments, aliases and conditions', async () => {
    const answered = await ask<Nodes>(
      `query ($yes: Boolean!) { transactions(first: 1) { nodes { id ...Other mine: metadata @include(if: $yes) } } }
       fragment Other on Transaction { ... on Transaction { key: externalIdentifier } }`,
      { yes: true },
    );
    expect(answered.transactions.nodes).toEqual([{ id: expect.any(String), key: 'order-2', mine: null }]);
  });
});
