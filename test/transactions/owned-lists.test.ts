import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transactionFilter } from '../../src/modules/transactions/read/filter.ts';
import type { TransactionSort } from '../../src/modules/transactions/read/sort.ts';
import type { OwnerColumn } from '../../src/modules/transactions/read/filters.sql.ts';
import { countTransactionRowsOf } from '../../src/modules/transactions/read/count.sql.ts';
import { findTransactionsOf, transactionsOf } from '../../src/modules/transactions/read/list.ts';
import { readTransactionPage, readTransactionPages } from '../../src/modules/transactions/read/list.sql.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ACCOUNTS, idOf, madeAt, makeManyRows, serviceId, storedId } from './many-rows.ts';

// The lists of several records among more transactions than one request may scan. 1,200 belong to the account. The first record
// of each kind has at least half of them, the second one or none.

const [ACCOUNT] = ACCOUNTS;
const SCAN_LIMIT = 100;

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeManyRows(database.url, 2_000);
  server = await startTestServer({ database, settings: { PAYGRAPH_LIST_SCAN_LIMIT: String(SCAN_LIMIT) } });
}, 60_000);
afterAll(() => server.stop());

const NOBODY = '01900000-0000-7000-8000-000000000000';

/** Some records of each kind, with the filter of all transactions that finds the same. */
const OWNERS: readonly {
  readonly column: OwnerColumn;
  readonly ids: readonly string[];
  readonly filterOf: (id: string) => object;
}[] = [
  {
    column: 'buyer_id',
    ids: [storedId('buyer', 1), NOBODY, storedId('buyer', 2)],
    filterOf: (buyerId) => ({ buyerId }),
  },
  {
    column: 'payment_method_id',
    ids: [storedId('method', 2), storedId('method', 1), NOBODY],
    filterOf: (paymentMethodId) => ({ paymentMethodId }),
  },
  {
    column: 'payment_service_id',
    ids: [NOBODY, serviceId(2), serviceId(1)],
    filterOf: (id) => ({ paymentServiceId: [id] }),
  },
];

const SORTS: readonly TransactionSort[] = ['created_at_desc', 'amount_asc', 'updated_at_desc'];

/** Nothing, and filters by every kind of index. */
const FILTERS: readonly object[] = [
  {},
  { status: ['capture_succeeded'] },
  { currency: ['EUR'] },
  { amountGte: 50_000, amountLte: 60_000 },
  { currency: ['EUR'], createdAtGte: madeAt(500), createdAtLte: madeAt(1500) },
  { errorCode: ['insufficient_funds'], updatedAtGte: madeAt(1000) },
  { pendingReview: false, hasThreeDSecure: false },
  { buyerEmailAddress: 'JANE10@example.com' },
  { metadata: { channel: 'web' } },
  { search: 'jane' },
];

/** The parts of a list: its start, its end, and what follows a row in the middle. */
const walksOf = (sort: TransactionSort) =>
  [
    { direction: 'forward', position: null },
    { direction: 'backward', position: null },
    { direction: 'forward', position: { sort, value: middleOf(sort), id: idOf(1_000) } },
  ] as const;

const middleOf = (sort: TransactionSort): string =>
  sort.startsWith('amount') ? '50000' : madeAt(1_000).toISOString();

describe.each(OWNERS)('the lists by $column have the transactions of each record alone', (owners) => {
  const { column, ids, filterOf } = owners;

  it.each(FILTERS)('with the filter %j', async (given) => {
    const filter = transactionFilter.parse(given);
    for (const sort of SORTS) {
      for (const walk of walksOf(sort)) {
        const page = { sort, filter, columns: 'line', ...walk, limit: 3 } as const;
        const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
        const expected = await Promise.all(
          ids.map(async (id) => {
            const own = { ...page, filter: transactionFilter.parse({ ...given, ...filterOf(id) }) };
            const all = await readTransactionPage(server.app.readDb, ACCOUNT, own, null);
            return 'found' in all ? idsOf(all.found) : null;
          }),
        );
        const read = async (scanLimit: number) => {
          const pages = await readTransactionPages(
            server.app.readDb,
            ACCOUNT,
            page,
            { column, ids },
            scanLimit,
          );
          return pages.map((each, index) => ('found' in each ? idsOf(each.found) : expected[index]));
        };

        expect({ sort, walk, ids: await read(1_000_000) }).toEqual({ sort, walk, ids: expected });
        expect({ sort, walk, ids: await read(SCAN_LIMIT) }).toEqual({ sort, walk, ids: expected });
      }
    }
  });

  it.each(FILTERS)('counted with the filter %j', async (given) => {
    const filter = transactionFilter.parse(given);
    const count = async (atMost: number, scanLimit: number) =>
      await countTransactionRowsOf(
        server.app.readDb,
        ACCOUNT,
        { filter, atMost, scanLimit },
        { column, ids },
      );
    const expected = await Promise.all(
      ids.map(async (id) => {
        const own = { ...PAGE, filter: transactionFilter.parse({ ...given, ...filterOf(id) }) };
        const all = await readTransactionPage(server.app.readDb, ACCOUNT, { ...own, limit: 2_000 }, null);
        return 'found' in all ? all.found.length : null;
      }),
    );

    expect(await count(2_000, 1_000_000)).toEqual(expected.map((found) => ({ found })));
    expect(await count(2, 1_000_000)).toEqual(expected.map((found) => ({ found: Math.min(found ?? 0, 2) })));
    for (const [index, each] of (await count(2_000, SCAN_LIMIT)).entries())
      expect(each).toEqual('found' in each ? { found: expected[index] } : { tooBroad: expect.anything() });
  });
});

const PAGE = { sort: 'created_at_desc', columns: 'brief', direction: 'forward', position: null } as const;

/** Finds the first transactions of some records, as the graph does. */
async function find(
  column: OwnerColumn,
  ids: readonly string[],
  filter: object,
  sort: TransactionSort = PAGE.sort,
) {
  const page = { direction: 'forward', limit: 3, cursor: null } as const;
  const requests = ids.map((id) => {
    const request = transactionsOf(column, id, page, { filter, sort, columns: 'line' });
    if (!request.ok) throw new Error(JSON.stringify(request.refusals));
    return request.value;
  });
  const viewer = { merchantAccountId: ACCOUNT } as Parameters<typeof findTransactionsOf>[1];
  return await findTransactionsOf(server.app, viewer, requests);
}

/** Answers the range of creation that a refusal names. */
function remedyOf(answer: unknown): Readonly<Record<string, Date>> {
  const [, name = '', moment = ''] =
    /Set (\w+) to (\S+) or (?:later|earlier)/.exec(JSON.stringify(answer)) ?? [];
  return { [name]: new Date(moment) };
}

const OTHER = '00000000-0000-7000-9000-00000000b003';

describe('a filter that would scan too many rows', () => {
  // Two records of each kind have more payments than the scan limit.
  beforeAll(async () => {
    await query(
      database.url,
      `SET session_replication_role = replica;
       UPDATE transaction SET buyer_id = '${OTHER}', payment_service_id = '${serviceId(2)}'
       WHERE buyer_id = '${storedId('buyer', 1)}' AND get_byte(uuid_send(id), 15) % 4 = 0`,
    );
  });

  it('is refused for the records that need them alone', async () => {
    const ids = [serviceId(1), storedId('buyer', 2), NOBODY];
    const [busy, ...others] = await find('payment_service_id', ids, { country: ['DE'] });

    expect(busy).toMatchObject({
      ok: false,
      refusals: [
        {
          path: ['filter', 'createdAtGte'],
          message: expect.stringMatching(/ transactions, .* or read fewer payment services at a time\.$/),
        },
      ],
    });
    expect(others).toMatchObject([
      { ok: true, value: { items: [] } },
      { ok: true, value: { items: [] } },
    ]);
  });

  it.each([
    ['buyer_id', 'created_at_desc', 'createdAtGte'],
    ['buyer_id', 'created_at_asc', 'createdAtLte'],
    ['buyer_id', 'amount_desc', 'createdAtGte'],
    ['payment_service_id', 'created_at_desc', 'createdAtGte'],
    ['payment_service_id', 'updated_at_asc', 'createdAtGte'],
  ] as const)(
    'of several by %s, sorted by %s, is answered in the range of the refusal',
    async (column, sort, name) => {
      const ids = column === 'buyer_id' ? [OTHER, storedId('buyer', 1)] : [serviceId(2), serviceId(1)];
      const given = { method: ['ideal'], hasRefunds: false };

      const [one, other] = await find(column, ids, given, sort);
      expect(one).toMatchObject({ ok: false, refusals: [{ path: ['filter', name] }] });
      expect(other).toEqual(one);

      const none = { ok: true, value: { items: [] } };
      const remedy = remedyOf(one);
      expect(Object.keys(remedy)).toEqual([name]);
      expect(await find(column, ids, { ...given, ...remedy }, sort)).toMatchObject([none, none]);
    },
  );
});
