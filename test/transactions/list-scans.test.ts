import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transactionFilter } from '../../src/modules/transactions/read/filter.ts';
import type { TransactionSort } from '../../src/modules/transactions/read/sort.ts';
import { readTransactionPage } from '../../src/modules/transactions/read/list.sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestServer, type GraphqlError, type TestServer } from '../support/server.ts';
import { ACCOUNTS, idOf, madeAt, makeManyRows, serviceId, storedId } from './many-rows.ts';

// A list among more transactions than one request may scan. 1,200 belong to the account.

const [ACCOUNT] = ACCOUNTS;
const SCAN_LIMIT = 100;

let server: TestServer;
let token: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  await makeManyRows(database.url, 2_000);
  server = await startTestServer({ database, settings: { PAYGRAPH_LIST_SCAN_LIMIT: String(SCAN_LIMIT) } });
  token = await server.mint({ merchantAccountId: ACCOUNT });
}, 60_000);
afterAll(() => server.stop());

type Page = {
  readonly nodes: readonly { readonly id: string }[];
  readonly totalCount: { readonly count: number };
};

async function ask(filter: object, { sort = 'CREATED_AT_DESC', field = 'nodes { id }' } = {}) {
  const { body } = await server.graphql<{ transactions: Page }>(
    `query ($filter: TransactionFilter, $sort: TransactionSort!) {
      transactions(first: 50, filter: $filter, sort: $sort) { ${field} } }`,
    { filter, sort },
    { token },
  );
  return { page: body.data?.transactions, error: body.errors?.[0] };
}

/** Answers the range of creation that a refusal names. */
function remedyOf(error: GraphqlError | undefined): Readonly<Record<string, string>> {
  const [, name = '', moment = ''] =
    /Set (\w+) to (\S+) or (?:later|earlier)/.exec(error?.message ?? '') ?? [];
  return { [name]: moment };
}

describe('a filter that too few of the scanned transactions meet', () => {
  it.each([
    ['CREATED_AT_DESC', 'createdAtGte', { country: ['DE'] }, 500],
    ['CREATED_AT_ASC', 'createdAtLte', { country: ['DE'] }, 500],
    ['AMOUNT_DESC', 'createdAtGte', { country: ['DE'] }, 40],
    ['UPDATED_AT_ASC', 'createdAtGte', { country: ['DE'] }, 40],
    ['CREATED_AT_DESC', 'createdAtGte', { status: ['CAPTURE_SUCCEEDED'], method: ['ideal'] }, 40],
    ['CREATED_AT_DESC', 'createdAtGte', { buyerId: storedId('buyer', 1), currency: ['GBP'] }, 40],
    [
      'CREATED_AT_DESC',
      'createdAtGte',
      { search: 'order', hasGiftCardRedemptions: false, currency: ['GBP'] },
      100,
    ],
  ])(
    '%s is refused at %s, and answered in the range of the refusal',
    async (sort, name, filter, scanLimit) => {
      const { error } = await ask(filter, { sort });

      const path = ['filter', name];
      expect(error?.extensions).toMatchObject({ code: 'INVALID_INPUT', refusals: [{ path }] });
      expect(error?.message).toContain(`One request reads at most ${scanLimit} transactions`);
      const remedy = remedyOf(error);
      expect(Object.keys(remedy)).toEqual([name]);
      expect((await ask({ ...filter, ...remedy }, { sort })).page).toEqual({ nodes: [] });
    },
  );

  it('is not counted, but in the range of the refusal', async () => {
    const field = 'totalCount { count }';
    const { error } = await ask({ country: ['DE'] }, { field });

    expect(error?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      refusals: [{ path: ['filter', 'createdAtGte'] }],
    });
    expect((await ask({ country: ['DE'], ...remedyOf(error) }, { field })).page).toEqual({
      totalCount: { count: 0 },
    });
  });

  it('is refused for the transactions of a record', async () => {
    const { body } = await server.graphql(
      `{ paymentServices { nodes { transactions(filter: { country: ["DE"] }) { nodes { id } } } } }`,
      {},
      { token },
    );

    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      refusals: [{ path: ['filter', 'createdAtGte'] }],
    });
  });
});

describe('a service whose payments are older than the scan limit reaches', () => {
  const OLD = serviceId(2);
  type Listed = { readonly id: string; readonly transactions: Page };

  it('lists and counts its payments beside a busy service', async () => {
    const { body } = await server.graphql<{ paymentServices: { nodes: readonly Listed[] } }>(
      `{ paymentServices { nodes { id transactions(first: 2) { nodes { id } totalCount(limit: 600) { count } } } } }`,
      {},
      { token },
    );

    expect(body.errors).toBeUndefined();
    expect(body.data?.paymentServices.nodes).toHaveLength(2);
    expect(body.data?.paymentServices.nodes).toContainEqual({
      id: OLD,
      transactions: { nodes: [{ id: idOf(19) }], totalCount: { count: 1 } },
    });
    expect(body.data?.paymentServices.nodes).toContainEqual({
      id: serviceId(1),
      transactions: { nodes: [{ id: idOf(2000) }, { id: idOf(1959) }], totalCount: { count: 600 } },
    });
  });

  it.each(['CREATED_AT_DESC', 'AMOUNT_ASC', 'UPDATED_AT_DESC'])(
    'is found by the filter of all transactions, sorted by %s',
    async (sort) => {
      const { page } = await ask(
        { paymentServiceId: [OLD] },
        { sort, field: 'nodes { id } totalCount { count }' },
      );

      expect(page).toEqual({ nodes: [{ id: idOf(19) }], totalCount: { count: 1 } });
    },
  );
});

describe('a filter that many transactions meet', () => {
  it.each([{ amountGte: 100 }, { amountGte: 100, currency: ['USD', 'EUR'] }])(
    '%j is counted beyond the scan limit of rows, in the index of the order of creation',
    async (filter) => {
      const { page, error } = await ask(filter, { field: `totalCount(limit: ${4 * SCAN_LIMIT}) { count }` });

      expect(error).toBeUndefined();
      expect(page?.totalCount.count).toBe(4 * SCAN_LIMIT);
    },
  );

  const statementsOf = async (filter: object, field: string) => {
    const { readDb: db } = server.app;
    const query = db.query.bind(db);
    const sent: (string | null)[] = [];
    Object.assign(db, {
      query: (statement: Parameters<typeof query>[0]) => {
        sent.push(statement.name);
        return query(statement);
      },
    });
    const { body } = await server.graphql<{ transactions: Page }>(
      `query ($filter: TransactionFilter) { transactions(first: 3, filter: $filter) { nodes { id ${field} } } }`,
      { filter },
      { token },
    );
    Object.assign(db, { query });
    return { sent, found: body.data?.transactions.nodes.length };
  };

  it.each([
    { status: ['CAPTURE_SUCCEEDED'] },
    { status: ['CAPTURE_SUCCEEDED', 'PROCESSING'] },
    { status: ['CAPTURE_SUCCEEDED'], currency: ['USD'] },
  ])('%j takes one statement', async (filter) => {
    const { sent, found } = await statementsOf(filter, '');

    expect(found).toBe(3);
    expect(sent).toHaveLength(1);
  });

  it('takes one further statement for the captures and refunds of all rows', async () => {
    const filter = { status: ['CAPTURE_SUCCEEDED'] };

    const { sent, found } = await statementsOf(filter, 'captures { id } refunds { id }');

    expect(found).toBe(3);
    expect(sent.slice(1)).toEqual(['read_follow_ups_core']);
  });

  it.each([{ country: ['US'] }, { status: ['CAPTURE_SUCCEEDED'], country: ['US'] }])(
    '%j is prepared on a connection when the same text comes again',
    async (filter) => {
      await statementsOf(filter, '');
      const { sent } = await statementsOf(filter, '');

      expect(sent).toEqual([expect.stringMatching(/^read_short_scan_\d+$/)]);
    },
  );
});

const SORTS: readonly TransactionSort[] = [
  'created_at_desc',
  'created_at_asc',
  'updated_at_desc',
  'amount_asc',
];

const FILTERS: readonly object[] = [
  { status: ['capture_succeeded'] },
  { status: ['processing', 'authorization_declined'] },
  { amountGte: 50_000, amountLte: 60_000 },
  { amountGte: 100 },
  { amountGte: 100, currency: ['EUR'] },
  { currency: ['EUR'], createdAtGte: madeAt(500), createdAtLte: madeAt(1500) },
  { currency: ['EUR'], updatedAtGte: madeAt(1000), updatedAtLte: madeAt(6000) },
  { buyerId: storedId('buyer', 1), hasRefunds: false },
  { errorCode: ['insufficient_funds'] },
  { pendingReview: false, hasThreeDSecure: false },
  { externalIdentifier: 'order-1' },
  { buyerEmailAddress: 'JANE10@example.com' },
  { cardLastFour: '0004' },
  { cardBin: '40000004' },
  { metadata: { channel: 'web' } },
  { metadata: { channel: 'web' }, status: ['authorization_declined'] },
  { search: 'order' },
  { search: 'ORDER-1' },
  { search: 'jane' },
  { search: 'jane doe1' },
  { search: 'example' },
  { search: '@example' },
  { search: 'd' },
  { search: '13' },
  { search: 'psp_c4 order' },
  { search: '00000000-0000-7000-8000-000000000001 order' },
];

describe('a walk and a collection find the same transactions', () => {
  it.each(FILTERS)('%j', async (given) => {
    const filter = transactionFilter.parse(given);
    let answered = 0;
    for (const sort of SORTS) {
      const page = {
        sort,
        filter,
        columns: 'brief',
        direction: 'forward',
        position: null,
        limit: 3,
      } as const;
      const read = (scanLimit: number | null) =>
        readTransactionPage(server.app.readDb, ACCOUNT, page, scanLimit);
      const idsOf = (answer: Awaited<ReturnType<typeof read>>): readonly string[] | null =>
        'found' in answer ? answer.found.map(({ id }) => id) : null;
      const all = idsOf(await read(null));
      const collected = idsOf(await read(1_000_000));
      const walked = idsOf(await read(SCAN_LIMIT));

      expect({ sort, ids: collected }).toEqual({ sort, ids: all });
      expect({ sort, ids: walked ?? all }).toEqual({ sort, ids: all });
      if (walked) answered += 1;
    }
    expect(answered).toBeGreaterThan(0);
  });
});
