import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CARD, createService, startHarness, type Harness } from './harness.ts';

// Buyers, payment methods and payment services show their own transactions.

type Node = { readonly id: string; readonly amount: number };
type Connection = {
  readonly nodes: readonly Node[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
};

const PAGE = `nodes { id amount } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

const OTHER_CARD = { ...CARD, number: '5555 5555 5555 4444' };

const ROUTER = 'a secret of at least 32 characters, for routers';

let harness: Harness;
/** The ids of two buyers with payments, and of one without any. */
let buyers: readonly string[];
let guest: string;

beforeAll(async () => {
  harness = await startHarness('mock-card', {
    settings: { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: ROUTER },
  });
  buyers = await Promise.all(['Jane', 'Joe', 'Nobody'].map(createBuyer));
  for (const amount of [300, 100, 200]) {
    await pay({ amount, buyerId: buyers[0], store: amount === 300 });
    await pay({ amount: amount + 1, buyerId: buyers[1] });
  }
  guest = await pay({ amount: 500 });
  await createService(harness.server, harness.provider.url, { currencies: ['EUR'] });
  await pay({ amount: 400, currency: 'EUR', store: true, paymentMethod: { card: OTHER_CARD } });
});
afterAll(() => harness.stop());

async function createBuyer(displayName: string): Promise<string> {
  const made = await harness.ask<{ createBuyer: { buyer: { id: string } } }>(
    `mutation ($input: CreateBuyerInput!) { createBuyer(input: $input) { buyer { id } } }`,
    { input: { displayName } },
  );
  return made.createBuyer.buyer.id;
}

async function pay(input: object): Promise<string> {
  const made = await harness.create({ currency: 'USD', paymentMethod: { card: CARD }, ...input });
  return made.transaction?.id ?? '';
}

const amountsOf = ({ nodes }: Connection): readonly number[] => nodes.map(({ amount }) => amount);

/** Asks for the transactions of every buyer, with these arguments. */
async function ofBuyers(args: string): Promise<ReadonlyMap<string, Connection>> {
  const found = await harness.ask<{
    buyers: { nodes: readonly { readonly id: string; readonly transactions: Connection }[] };
  }>(`{ buyers(first: 10) { nodes { id transactions${args} { ${PAGE} } } } }`);
  return new Map(found.buyers.nodes.map(({ id, transactions }) => [id, transactions]));
}

const pageOf = (pages: ReadonlyMap<string, Connection>, buyer: number): Connection => {
  const page = pages.get(buyers[buyer] ?? '');
  if (!page) throw new Error('The buyer is not listed.');
  return page;
};

describe('the transactions of buyers', () => {
  it('are those of each buyer alone, newest first', async () => {
    const pages = await ofBuyers('');

    expect(amountsOf(pageOf(pages, 0))).toEqual([200, 100, 300]);
    expect(amountsOf(pageOf(pages, 1))).toEqual([201, 101, 301]);
    expect(pageOf(pages, 2).nodes).toEqual([]);
  });

  it('have a page and a cursor of their own, in both directions', async () => {
    const first = pageOf(await ofBuyers('(first: 2)'), 0);
    const next = pageOf(await ofBuyers(`(first: 2, after: "${first.pageInfo.endCursor}")`), 0);
    const last = pageOf(await ofBuyers('(last: 2)'), 0);
    const before = pageOf(await ofBuyers(`(last: 2, before: "${last.pageInfo.startCursor}")`), 0);

    expect(amountsOf(first)).toEqual([200, 100]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(amountsOf(next)).toEqual([300]);
    expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(amountsOf(last)).toEqual([100, 300]);
    expect(amountsOf(before)).toEqual([200]);
  });

  it('take the filters and the sorts of every list', async () => {
    const sorted = await ofBuyers('(sort: AMOUNT_ASC)');
    const filtered = await ofBuyers('(filter: { amountGte: 200 }, sort: AMOUNT_DESC, first: 1)');
    const named = await ofBuyers(`(filter: { id: "${guest}" })`);

    expect(amountsOf(pageOf(sorted, 0))).toEqual([100, 200, 300]);
    expect(amountsOf(pageOf(filtered, 0))).toEqual([300]);
    expect(pageOf(filtered, 0).pageInfo.hasNextPage).toBe(true);
    expect(amountsOf(pageOf(filtered, 1))).toEqual([301]);
    expect(pageOf(named, 0).nodes).toEqual([]);
  });

  it.each([
    ['a page that is too large', '(first: 101)', ['first']],
    ['a filter beyond its limit', '(filter: { amountGte: -1 })', ['filter', 'amountGte']],
    ['the cursor of another sort', null, ['after']],
  ])('refuse %s, and name its place', async (_, given, path) => {
    const { endCursor } = pageOf(await ofBuyers('(first: 1)'), 0).pageInfo;
    const args = given ?? `(sort: AMOUNT_ASC, after: "${endCursor}")`;

    const { body } = await harness.server.graphql(`{ buyers { nodes { transactions${args} { ${PAGE} } } } }`);

    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', refusals: [{ path }] });
  });

  it('need the scope of transactions', async () => {
    const token = await harness.server.mint({ scopes: ['buyers.read'] });

    const { body } = await harness.server.graphql(
      `{ buyers { nodes { id transactions { nodes { id } } } } }`,
      {},
      { token },
    );

    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('are nobody else’s', async () => {
    const { token } = await harness.server.createMerchantAccount();
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Buyer { transactions { nodes { id } } } } }`;
    const of = [buyers[0], 'no uuid'].map((id) => ({ __typename: 'Buyer', id }));

    const answer = await fetch(`${harness.server.url}/subgraphs/transactions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-router-secret': ROUTER,
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query, variables: { of } }),
    });

    const none = { transactions: { nodes: [] } };
    expect(await answer.json()).toEqual({ data: { _entities: [none, none] } });
  });
});

describe('the transactions of other records', () => {
  it('are those of a stored payment method', async () => {
    const { paymentMethods } = await harness.ask<{
      paymentMethods: { nodes: readonly { readonly transactions: Connection }[] };
    }>(`{ paymentMethods { nodes { transactions { ${PAGE} } } } }`);

    expect(paymentMethods.nodes.map(({ transactions }) => amountsOf(transactions))).toEqual([[400], [300]]);
  });

  it('are those of a payment service, in any order', async () => {
    const { paymentServices } = await harness.ask<{
      paymentServices: { nodes: readonly { readonly transactions: Connection }[] };
    }>(`{ paymentServices { nodes { transactions(first: 3, sort: AMOUNT_DESC) { ${PAGE} } } } }`);

    expect(paymentServices.nodes.map(({ transactions }) => amountsOf(transactions))).toEqual([
      [400],
      [500, 301, 300],
    ]);
  });
});

describe('the transactions of all records of a page', () => {
  /** Asks for a page of records with their transactions. Answers the names of the statements that read transactions. */
  async function statementsOf(records: string, list: string): Promise<readonly (string | null)[]> {
    const { readDb } = harness.server.app;
    const query = readDb.query.bind(readDb);
    const sent: (string | null)[] = [];
    const recording: typeof query = (statement) => {
      if (/\bFROM transaction\b/.test(statement.text)) sent.push(statement.name);
      return query(statement);
    };
    Object.assign(readDb, { query: recording });
    const found = await harness.ask<Record<string, { nodes: readonly object[] }>>(
      `{ ${records}(first: 10) { nodes { ${list} } } }`,
    );
    Object.assign(readDb, { query });
    expect(found[records]?.nodes.length).toBeGreaterThan(1);
    return sent;
  }

  it.each([
    ['buyers', 'buyer'],
    ['paymentMethods', 'method'],
    ['paymentServices', 'service'],
  ])('of %s are read by one statement, and counted by another', async (records, name) => {
    expect(await statementsOf(records, `transactions(first: 2) { ${PAGE} }`)).toEqual([
      `transactions_of_${name}_core_created_at_desc_forward`,
    ]);
    expect(await statementsOf(records, 'transactions(first: 2) { totalCount { count } }')).toEqual([
      `transactions_of_${name}_core_created_at_desc_forward`,
      `count_transactions_of_${name}`,
    ]);
  });

  it.each(['buyers', 'paymentMethods', 'paymentServices'])(
    'of %s with a filter are read by one statement, and counted by another',
    async (records) => {
      for (const args of [
        'filter: { currency: ["USD"], hasRefunds: false }',
        'filter: { amountGte: 200, search: "visa" }',
        'sort: AMOUNT_DESC',
        'filter: { amountLte: 300 }, sort: UPDATED_AT_ASC',
      ]) {
        expect(await statementsOf(records, `transactions(first: 2, ${args}) { nodes { id } }`)).toHaveLength(
          1,
        );
        expect(
          await statementsOf(records, `transactions(first: 2, ${args}) { totalCount { count } }`),
        ).toHaveLength(2);
      }
    },
  );
});

describe('the stored buyer of a transaction', () => {
  type Buyers = {
    readonly transactions: { readonly nodes: readonly { readonly buyerRecord: object | null }[] };
  };
  const BUYERS = `{ transactions(sort: AMOUNT_DESC, first: 3, filter: { currency: ["USD"] }) { nodes { buyerRecord { id displayName } } } }`;

  it('is the record as it is now, and null for a guest', async () => {
    const { transactions } = await harness.ask<Buyers>(BUYERS);

    expect(transactions.nodes).toEqual([
      { buyerRecord: null },
      { buyerRecord: { id: buyers[1], displayName: 'Joe' } },
      { buyerRecord: { id: buyers[0], displayName: 'Jane' } },
    ]);
  });

  it('needs the scope of buyers', async () => {
    const token = await harness.server.mint({ scopes: ['transactions.read'] });

    const { body } = await harness.server.graphql(BUYERS, {}, { token });

    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  });
});
