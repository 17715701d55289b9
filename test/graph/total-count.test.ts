import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { relayAll } from '../support/relay-all.ts';
import { CARD, startHarness, type Harness } from '../transactions/harness.ts';

// The lists of a dashboard tell how many records they have.

type Count = { readonly count: number; readonly isExact: boolean };
type Counted = { readonly totalCount: Count };

let harness: Harness;
let jane: string;

beforeAll(async () => {
  harness = await startHarness('mock-card');
  jane = await createBuyer('Jane Doe');
  await createBuyer('Joe Doe');
  for (const amount of [100, 200, 300])
    await harness.create({ amount, currency: 'USD', paymentMethod: { card: CARD }, buyerId: jane });
  await harness.create({ amount: 400, paymentMethod: { card: CARD }, store: true });
  await harness.ask(
    `mutation { createPaymentLink(input: { amount: 100, currency: "EUR", country: "DE" }) { paymentLinkId } }`,
  );
  await relayAll(harness.server.app);
});
afterAll(() => harness.stop());

async function createBuyer(displayName: string): Promise<string> {
  const made = await harness.ask<{ createBuyer: { buyerId: string } }>(
    `mutation ($input: CreateBuyerInput!) { createBuyer(input: $input) { buyerId } }`,
    { input: { displayName } },
  );
  return made.createBuyer.buyerId;
}

/** Counts the records of one list. */
async function count(list: string, args = ''): Promise<Count> {
  const { list: counted } = await harness.ask<{ list: Counted }>(
    `{ list: ${list} { totalCount${args} { count isExact } } }`,
  );
  return counted.totalCount;
}

/** Answers the codes and paths of the errors. */
async function refusalOf(list: string, args: string): Promise<unknown> {
  const { body } = await harness.server.graphql(
    `{ ${list} { totalCount${args} { count } } }`,
    {},
    { token: harness.server.token },
  );
  return body.errors?.map(({ extensions, path }) => ({ code: extensions['code'], path }));
}

/** Answers what `run` returns, and the names of the statements for reads meanwhile. */
async function recorded<Value>(run: () => Promise<Value>) {
  const { readDb } = harness.server.app;
  const query = readDb.query.bind(readDb);
  const names: (string | null)[] = [];
  const recording: typeof query = (statement) => {
    names.push(statement.name);
    return query(statement);
  };
  Object.assign(readDb, { query: recording });
  const value = await run();
  Object.assign(readDb, { query });
  return { value, names };
}

describe('a list counts its records', () => {
  it.each([
    ['transactions', 4],
    ['transactions(first: 1)', 4],
    ['transactions(filter: { currency: ["USD"], amountGte: 200, amountLte: 300 })', 2],
    ['transactions(filter: { search: "jane" })', 3],
    ['transactions(filter: { search: "nobody" })', 0],
    ['buyers', 2],
    ['buyers(search: "doe jane")', 1],
    ['paymentMethods', 1],
    ['paymentMethods(filter: { status: [SUCCEEDED] })', 1],
    ['paymentMethods(filter: { buyerExternalIdentifier: "nobody" })', 0],
    ['paymentLinks', 1],
    ['paymentLinks(filter: { currency: ["EUR"] })', 1],
    ['events(types: ["buyer.created"])', 2],
    ['events(types: ["buyer.created", "payment-link.*"], first: 1)', 3],
  ])('%s: %i', async (list, expected) => {
    expect(await count(list)).toEqual({ count: expected, isExact: true });
  });

  it('on every page, whatever the cursor', async () => {
    const { transactions } = await harness.ask<{ transactions: { pageInfo: { endCursor: string } } }>(
      '{ transactions(first: 3) { pageInfo { endCursor } } }',
    );

    expect(await count(`transactions(first: 3, after: "${transactions.pageInfo.endCursor}")`)).toEqual({
      count: 4,
      isExact: true,
    });
  });
});

describe('a count ends at its limit', () => {
  it.each([
    ['transactions', 3, { count: 3, isExact: false }],
    ['transactions', 4, { count: 4, isExact: true }],
    ['transactions(filter: { search: "jane" })', 2, { count: 2, isExact: false }],
    ['buyers', 1, { count: 1, isExact: false }],
    ['buyers', 2, { count: 2, isExact: true }],
    ['paymentMethods', 1, { count: 1, isExact: true }],
    ['paymentLinks', 1, { count: 1, isExact: true }],
    ['events(types: ["buyer.*"])', 1, { count: 1, isExact: false }],
    ['events', 5, { count: 5, isExact: false }],
  ])('%s up to %i', async (list, limit, expected) => {
    expect(await count(list, `(limit: ${limit})`)).toEqual(expected);
  });

  it.each(['transactions', 'buyers', 'paymentMethods', 'paymentLinks', 'events'])(
    '%s refuse another limit than 1 to 10 000',
    async (list) => {
      const refused = [{ code: 'INVALID_INPUT', path: [list, 'totalCount'] }];

      expect(await refusalOf(list, '(limit: 0)')).toEqual(refused);
      expect(await refusalOf(list, '(limit: 10001)')).toEqual(refused);
    },
  );
});

describe('the transactions of buyers', () => {
  const countOfBuyers = (args: string) =>
    harness.ask<{ buyers: { nodes: readonly { readonly id: string; readonly transactions: Counted }[] } }>(
      `{ buyers(first: 10) { nodes { id transactions${args} { totalCount { count isExact } } } } }`,
    );

  it('are counted for all buyers of a page by one statement', async () => {
    const { value, names } = await recorded(() => countOfBuyers(''));

    expect(new Map(value.buyers.nodes.map(({ id, transactions }) => [id, transactions.totalCount]))).toEqual(
      new Map(value.buyers.nodes.map(({ id }) => [id, { count: id === jane ? 3 : 0, isExact: true }])),
    );
    expect(names.filter((name) => name?.startsWith('count_'))).toEqual(['count_transactions_of_buyer']);
  });

  it('are counted with their filter', async () => {
    const { buyers } = await countOfBuyers('(filter: { amountGte: 200 })');

    expect(buyers.nodes.find(({ id }) => id === jane)?.transactions.totalCount.count).toBe(2);
  });

  it.each([
    ['by the default', '', ''],
    ['by a variable without a value', 'query ($limit: Int)', '(limit: $limit)'],
  ])('weigh too much for a whole page of buyers, with a limit %s', async (_, operation, args) => {
    const { body } = await harness.server.graphql(
      `${operation} { buyers(first: 100) { nodes { transactions(first: 1) { totalCount${args} { count } } } } }`,
      {},
      { token: harness.server.token },
    );

    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });
});
