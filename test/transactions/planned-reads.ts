import { listLines, readLines } from '../../src/modules/payment-services/store.ts';
import { findBuyersByIds } from '../../src/modules/payment-methods/store/buyers/buyers.ts';
import { transactionFilter } from '../../src/modules/transactions/read/filter.ts';
import { readTransactions } from '../../src/modules/transactions/rows/read.sql.ts';
import { readTransactionPage, readTransactionPages } from '../../src/modules/transactions/read/list.sql.ts';
import { readFollowUps, readOperations } from '../../src/modules/transactions/read/operations.sql.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { ACCOUNTS, idOf, storedId } from './many-rows.ts';

const ACCOUNT = ACCOUNTS[0];
const ONE = [idOf(7)];
const SCAN_LIMIT = 50_000;

const page = (given: object = {}) => ({
  sort: 'created_at_desc' as const,
  columns: 'brief' as const,
  filter: transactionFilter.parse(given),
  direction: 'forward' as const,
  position: null,
  limit: 50,
});
const position = { sort: 'created_at_desc' as const, value: '2026-01-01T00:00:00.000Z', id: ONE[0] ?? '' };
const readPage = (db: Db, given: Partial<Parameters<typeof readTransactionPage>[2]>) =>
  readTransactionPage(db, ACCOUNT, { ...page(), ...given }, SCAN_LIMIT);

const OPERATIONS = { which: 'all', columns: 'brief', limit: 100 } as const;
const CAPTURES = { transactions: ONE, kinds: ['capture'] } as const;
const OWNERS = { column: 'buyer_id', ids: [storedId('buyer', 1)] } as const;

const SERVICES = { method: null, deleted: false } as const;

/** Reads that Postgres plans once, by their names. */
export const READS: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'one payment': (db) => readTransactions(db, ACCOUNT, ONE, 'brief'),
  'one buyer': (db) => findBuyersByIds(db, ACCOUNT, [storedId('buyer', 1)], 'line'),
  'the operations of one transaction': (db) => readOperations(db, ACCOUNT, ONE, OPERATIONS),
  'the captures of one transaction': (db) =>
    readFollowUps(db, ACCOUNT, CAPTURES, { columns: 'core', limit: 100 }),
  'all payment services': (db) => readLines(db, ACCOUNT),
  'payment services': (db) =>
    listLines(db, ACCOUNT, { direction: 'forward', limit: 2, cursor: null }, SERVICES),
  'a list': (db) => readPage(db, {}),
  'the next page': (db) => readPage(db, { position }),
  'a list by amount': (db) => readPage(db, { sort: 'amount_desc' }),
  'a search': (db) => readPage(db, page({ search: 'cust-12' })),
  'a filter': (db) => readPage(db, page({ status: ['authorization_declined'], currency: ['EUR'] })),
  'the list of one buyer': (db) => readTransactionPages(db, ACCOUNT, page(), OWNERS, SCAN_LIMIT),
};
