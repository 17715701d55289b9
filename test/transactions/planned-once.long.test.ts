import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findBuyersByIds } from '../../src/modules/payment-methods/store/buyers.ts';
import { readTransactions } from '../../src/modules/transactions/model/read.sql.ts';
import { readFollowUps, readOperations } from '../../src/modules/transactions/read/operations.sql.ts';
import { openDb, type Db } from '../../src/platform/db.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ACCOUNTS, idOf, makeManyRows, storedId } from './many-rows.ts';

// Postgres makes five plans for the values of a named statement. Then it keeps one plan for all values, unless a plan for the
// values looks cheaper. The other tests force the one plan, so they cannot tell.

const RUNS = 12;
const ACCOUNT = ACCOUNTS[0];
const ONE = [idOf(7)];

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

const OPERATIONS = { which: 'all', columns: 'brief', limit: 100 } as const;
const CAPTURES = { transactions: ONE, kinds: ['capture'] } as const;

const READS: readonly [what: string, read: () => Promise<unknown>][] = [
  ['one payment', () => readTransactions(db, ACCOUNT, ONE, 'brief')],
  ['one buyer', () => findBuyersByIds(db, ACCOUNT, [storedId('buyer', 1)], 'line')],
  ['the operations of one transaction', () => readOperations(db, ACCOUNT, ONE, OPERATIONS)],
  [
    'the captures of one transaction',
    () => readFollowUps(db, ACCOUNT, CAPTURES, { columns: 'core', limit: 100 }),
  ],
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
