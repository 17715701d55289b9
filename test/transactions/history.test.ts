import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '../../src/kernel/page.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { idOf, insertRow, insertServices, minute, serviceOf } from './rows.ts';

let server: TestServer;
let account: { id: string; token: string };
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  account = await server.createMerchantAccount();
  await insertServices(server, account.id, 2);
});
afterAll(() => server.stop());

const entryId = (count: number): string => idOf(`history of ${account.id}`, count);
const operationId = (count: number): string => idOf(`operations of ${account.id}`, count);

/** Inserts a transaction's history, oldest first. `from` is the number of the first entry. */
async function insertHistory(transactionId: string, from: number, count: number): Promise<readonly string[]> {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  await server.app.db.prisma.historyEntry.createMany({
    data: numbers.map((number) => ({
      merchantAccountId: account.id,
      id: entryId(number),
      transactionId,
      name: `event-${number}`,
      context: { number, nested: { 'a b': [null, 1.5] } },
      createdAt: minute(number),
    })),
  });
  return numbers.map(entryId);
}

type OperationRow = {
  readonly kind: string;
  readonly status?: string;
  readonly service?: number;
  readonly [column: string]: unknown;
};

async function insertOperations(transactionId: string, rows: readonly OperationRow[]): Promise<void> {
  await server.app.db.prisma.operation.createMany({
    data: rows.map(({ service = 0, ...row }, index) => ({
      merchantAccountId: account.id,
      id: operationId(index),
      transactionId,
      paymentServiceId: serviceOf(account.id, service),
      amount: 1000,
      currency: 'USD',
      status: 'succeeded',
      sentAt: minute(index),
      createdAt: minute(index),
      updatedAt: minute(index),
      ...row,
    })),
  });
}

async function ask<Data = Record<string, unknown>>(document: string, variables: object = {}): Promise<Data> {
  const { body } = await server.graphql<Data>(document, { ...variables }, { token: account.token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

type History = {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: object;
};

const PAGE = `query ($id: ID!, $first: Int! = 100, $after: String) { transaction(id: $id) { events(first: $first, after: $after) {
  nodes { id } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;

const page = async (id: string, args: object = {}): Promise<History> =>
  (await ask<{ transaction: { events: History } }>(PAGE, { id, ...args })).transaction.events;

describe('the events of a transaction', () => {
  it('are the history of the transaction, newest first', async () => {
    const id = await insertRow(server, account.id, 1);
    await insertHistory(id, 1, 2);

    expect(
      await ask(
        'query ($id: ID!) { transaction(id: $id) { events { nodes { id name createdAt context } } } }',
        { id },
      ),
    ).toEqual({
      transaction: {
        events: {
          nodes: [2, 1].map((number) => ({
            id: entryId(number),
            name: `event-${number}`,
            createdAt: minute(number).toISOString(),
            context: { number, nested: { 'a b': [null, 1.5] } },
          })),
        },
      },
    });
  });

  it('are 100 by default, and continue from a cursor while new ones are added', async () => {
    const id = await insertRow(server, account.id, 1);
    const ids = (await insertHistory(id, 1, 103)).toReversed();

    const first = await page(id);
    await insertHistory(id, 200, 3);
    const rest = await page(id, { first: 2, after: first.edges.at(-1)?.cursor });

    expect(first.nodes.map((node) => node.id)).toEqual(ids.slice(0, 100));
    expect(first.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: first.edges[0]?.cursor,
      endCursor: first.edges[99]?.cursor,
    });
    expect(rest.nodes.map((node) => node.id)).toEqual(ids.slice(100, 102));
    expect(rest.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(await page(id, { after: rest.edges[1]?.cursor })).toMatchObject({
      nodes: [{ id: ids[102] }],
      pageInfo: { hasNextPage: false },
    });
  });

  it.each([
    [{ first: 0 }, ['first'], 'Must be 1 to 100.'],
    [{ first: 101 }, ['first'], 'Must be 1 to 100.'],
    [{ after: 'nonsense' }, ['after'], 'Must be a cursor of this list.'],
    [{ after: encodeCursor('not-an-id') }, ['after'], 'Must be a cursor of this list.'],
  ])('refuse %j', async (args, path, message) => {
    const id = await insertRow(server, account.id, 1);

    const { body } = await server.graphql(PAGE, { id, ...args }, { token: account.token });

    expect(body.errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', refusals: [{ path, message }] } },
    ]);
  });

  it('are read for many transactions and several pages in one statement', async () => {
    const ids = [await insertRow(server, account.id, 1), await insertRow(server, account.id, 2)];
    await insertRow(server, account.id, 3);
    await insertHistory(ids[0] ?? '', 1, 5);
    await insertHistory(ids[1] ?? '', 11, 2);
    const statements = watch(server.app.readDb);

    const { transactions } = await ask(
      `{ transactions(sort: CREATED_AT_ASC) { nodes { a: events(first: 2) { nodes { name } } b: events(first: 1) { nodes { name } }
         c: events(first: 2, after: "${encodeCursor(entryId(4))}") { nodes { name } } } } }`,
    );

    const named = (...numbers: number[]) => ({
      nodes: numbers.map((number) => ({ name: `event-${number}` })),
    });
    expect(transactions).toEqual({
      nodes: [
        { a: named(5, 4), b: named(5), c: named(3, 2) },
        { a: named(12, 11), b: named(12), c: named() },
        { a: named(), b: named(), c: named() },
      ],
    });
    const read = statements.stop().filter((name) => name?.startsWith('read_history'));
    expect(read).toEqual(['read_history_line']);
  });

  it('are not those of another account with the same id', async () => {
    const id = await insertRow(server, account.id, 1);
    await insertHistory(id, 1, 2);
    const rival = await server.createMerchantAccount();
    await insertRow(server, rival.id, 1, { id });

    const { body } = await server.graphql(PAGE, { id }, { token: rival.token });

    expect(body.data).toMatchObject({ transaction: { events: { nodes: [] } } });
  });
});

/** Records the names of the statements from now on. */
function watch(db: Db): { stop: () => readonly (string | null)[] } {
  const names: (string | null)[] = [];
  const original = db.query.bind(db);
  const change = (query: Db['query']) => Object.assign(db, { query });
  change(<Row>(statement: Statement) => {
    names.push(statement.name);
    return original<Row>(statement);
  });
  return {
    stop: () => {
      change(original);
      return names;
    },
  };
}

describe('the operations of a transaction', () => {
  const LIFE: readonly OperationRow[] = [
    { kind: 'authorize', choice: 'first', status: 'failed', errorCode: 'service_error' },
    { kind: 'authorize', choice: 'after_failure', service: 1, providerReference: 'psp_1' },
    { kind: 'capture', final: false },
    { kind: 'refund', status: 'pending', unknownAt: minute(9), unknownCause: 'timeout' },
  ];

  it('are of every kind, newest first', async () => {
    const id = await insertRow(server, account.id, 1);
    await insertOperations(id, LIFE);

    const { transaction } = await ask(
      'query ($id: ID!) { transaction(id: $id) { operations { id kind status paymentService { id } unknown { cause } } captures { id } refunds { id } } }',
      { id },
    );

    const service = (number: number) => ({ id: serviceOf(account.id, number) });
    expect(transaction).toEqual({
      operations: [
        {
          id: operationId(3),
          kind: 'REFUND',
          status: 'PENDING',
          paymentService: service(0),
          unknown: { cause: 'TIMEOUT' },
        },
        {
          id: operationId(2),
          kind: 'CAPTURE',
          status: 'SUCCEEDED',
          paymentService: service(0),
          unknown: null,
        },
        {
          id: operationId(1),
          kind: 'AUTHORIZE',
          status: 'SUCCEEDED',
          paymentService: service(1),
          unknown: null,
        },
        {
          id: operationId(0),
          kind: 'AUTHORIZE',
          status: 'FAILED',
          paymentService: service(0),
          unknown: null,
        },
      ],
      captures: [{ id: operationId(2) }],
      refunds: [{ id: operationId(3) }],
    });
  });

  it('are at most the latest 100', async () => {
    const id = await insertRow(server, account.id, 1);
    await insertOperations(
      id,
      Array.from({ length: 120 }, () => ({ kind: 'refund', status: 'declined' })),
    );

    const { transaction } = await ask<{ transaction: { operations: { id: string }[] } }>(
      'query ($id: ID!) { transaction(id: $id) { operations { id } } }',
      { id },
    );

    const latest = Array.from({ length: 100 }, (_, index) => ({ id: operationId(119 - index) }));
    expect(transaction.operations).toEqual(latest);
  });

  it('begin with the authorisation attempts, in the order of the services', async () => {
    const id = await insertRow(server, account.id, 1);
    await insertOperations(id, LIFE);
    const other = await insertRow(server, account.id, 2);
    const statements = watch(server.app.readDb);

    const { transactions } = await ask(
      `{ transactions(sort: CREATED_AT_ASC) { nodes { id attempts { id choice status errorCode rawResponseCode createdAt settledAt
         paymentServiceTransactionId paymentService { displayName } } } } }`,
    );

    const attempt = { rawResponseCode: null, settledAt: null };
    expect(transactions).toEqual({
      nodes: [
        {
          id,
          attempts: [
            {
              ...attempt,
              id: operationId(0),
              choice: 'FIRST',
              status: 'FAILED',
              errorCode: 'service_error',
              createdAt: minute(0).toISOString(),
              paymentServiceTransactionId: null,
              paymentService: { displayName: 'Service 0' },
            },
            {
              ...attempt,
              id: operationId(1),
              choice: 'AFTER_FAILURE',
              status: 'SUCCEEDED',
              errorCode: null,
              createdAt: minute(1).toISOString(),
              paymentServiceTransactionId: 'psp_1',
              paymentService: { displayName: 'Service 1' },
            },
          ],
        },
        { id: other, attempts: [] },
      ],
    });
    expect(statements.stop().filter((name) => name === 'read_operations_attempts_whole')).toHaveLength(1);
  });
});
