import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listLines } from '../../src/modules/payment-services/store.ts';
import { findBuyersByIds } from '../../src/modules/payment-methods/store/buyers.ts';
import { transactionFilter } from '../../src/modules/transactions/model/filter.ts';
import { readTransactions } from '../../src/modules/transactions/model/read.sql.ts';
import { readTransactionPage, readTransactionPages } from '../../src/modules/transactions/read/list.sql.ts';
import { readFollowUps, readOperations } from '../../src/modules/transactions/read/operations.sql.ts';
import { openDb, type Db } from '../../src/platform/db.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ACCOUNTS, idOf, makeManyRows, storedId } from './many-rows.ts';

// Postgres makes five plans for the values of a named statement. Then it keeps one plan for all values, unless a plan for the
// values looks cheaper. The other tests force the one plan, so they cannot tell.

const RUNS = 12;
const ACCOUNT = ACCOUNTS[0];
const ONE = [idOf(7)];
const VISITS = 50_000;

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeManyRows(database.url);
  db = openDb({ url: database.url, connectionMax: 1, applicationName: 'test' });
  await db.query({ name: null, text: 'SET plan_cache_mode = auto', values: [] });
}, 180_000);
afterAll(async () => {
  await db.close();
  await database.drop();
});

const page = (given: object = {}) => ({
  sort: 'created_at_desc' as const,
  columns: 'brief' as const,
  filter: transactionFilter.parse(given),
  direction: 'forward' as const,
  position: null,
  limit: 50,
});
const position = { sort: 'created_at_desc' as const, value: '2026-01-01T00:00:00.000Z', id: ONE[0] ?? '' };
const readPage = (given: Partial<Parameters<typeof readTransactionPage>[2]>) =>
  readTransactionPage(db, ACCOUNT, { ...page(), ...given }, VISITS);

const OPERATIONS = { which: 'all', columns: 'brief', limit: 100 } as const;
const CAPTURES = { transactions: ONE, kinds: ['capture'] } as const;
const OWNERS = { column: 'buyer_id', ids: [storedId('buyer', 1)] } as const;

const SERVICES = { method: null, deleted: false } as const;

const READS: readonly [what: string, read: () => Promise<unknown>][] = [
  ['one payment', () => readTransactions(db, ACCOUNT, ONE, 'brief')],
  ['one buyer', () => findBuyersByIds(db, ACCOUNT, [storedId('buyer', 1)], 'line')],
  ['the operations of one transaction', () => readOperations(db, ACCOUNT, ONE, OPERATIONS)],
  [
    'the captures of one transaction',
    () => readFollowUps(db, ACCOUNT, CAPTURES, { columns: 'core', limit: 100 }),
  ],
  [
    'payment services',
    () => listLines(db, ACCOUNT, { direction: 'forward', limit: 2, cursor: null }, SERVICES),
  ],
  ['a list', () => readPage({})],
  ['the next page', () => readPage({ position })],
  ['a list by amount', () => readPage({ sort: 'amount_desc' })],
  ['a search', () => readPage(page({ search: 'cust-12' }))],
  ['a filter', () => readPage(page({ status: ['authorization_declined'], currency: ['EUR'] }))],
  ['the list of one buyer', () => readTransactionPages(db, ACCOUNT, page(), OWNERS, VISITS)],
];
/** The numbers of plans for the values and of runs with the plan for all values, by the statement's name. */
type Plans = ReadonlyMap<string, { readonly own: number; readonly shared: number }>;

async function plansOf(): Promise<Plans> {
  const text =
    'SELECT name, custom_plans::int AS own, generic_plans::int AS shared FROM pg_prepared_statements';
  const rows = await db.query<{ name: string; own: number; shared: number }>({
    name: null,
    text,
    values: [],
  });
  return new Map(rows.map(({ name, own, shared }) => [name, { own, shared }]));
}

const NEVER = { own: 0, shared: 0 };

it.each(READS)('plans once for all values: %s', async (_what, read) => {
  const before = await plansOf();
  for (let run = 0; run < RUNS; run += 1) await read();

  const ran = [...(await plansOf())].map(([name, { own, shared }]) => {
    const { own: ownBefore, shared: sharedBefore } = before.get(name) ?? NEVER;
    return { name, own: own - ownBefore, shared: shared - sharedBefore };
  });
  const used = ran.filter(({ own, shared }) => own + shared > 0);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(({ own }) => own > 5)).toEqual([]);
});
