import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { reconciliationIdOf } from '../../src/kernel/reconciliation-id.ts';
import { transactionFilter } from '../../src/modules/transactions/read/filter.ts';
import type { SortKey, TransactionSort } from '../../src/modules/transactions/read/sort.ts';
import { countTransactionRowsOf } from '../../src/modules/transactions/read/count.sql.ts';
import type { Owners } from '../../src/modules/transactions/read/filters.sql.ts';
import {
  readTransactionPage,
  readTransactionPages,
  type TransactionPage,
} from '../../src/modules/transactions/read/list.sql.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { connectForCosts, costsOf, type Cost } from '../support/statement-costs.ts';
import { ACCOUNTS, madeAt, makeManyRows, ROWS, serviceId, storedId } from './many-rows.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeManyRows(database.url);
  await query(database.url, MISLEADING);
  client = await connectForCosts(database.url);
}, 180_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

/**
 * Makes the statistics of a database with changes on every page, and with thousands of accounts of 20 rows. Then walks along an
 * index look dear to Postgres, and other plans look cheap.
 */
const MISLEADING = `
  ALTER TABLE transaction ALTER merchant_account_id SET (n_distinct = -0.05);
  ANALYZE transaction;
  UPDATE pg_class SET relallvisible = 0 WHERE relname IN ('transaction', 'transaction_term')`;

/** Reads a page, and answers the cost of each of its statements. */
const costsOfPage = (
  page: Omit<TransactionPage, 'limit' | 'columns'>,
  account: string = ACCOUNTS[0],
): Promise<readonly Cost[]> =>
  costsOf(client, (db) =>
    readTransactionPage(db, account, { ...page, columns: 'line', limit: 20 }, SCAN_LIMIT),
  );

/** The rows that a statement may scan. */
const SCAN_LIMIT = 2_000;

const KEYS: readonly SortKey[] = ['created_at', 'updated_at', 'amount'];
const sortsOf = (keys: readonly SortKey[]): readonly TransactionSort[] =>
  keys.flatMap((key) => [`${key}_asc`, `${key}_desc`] as const);

/** Positions in the middle of the list. */
const MIDDLE: Readonly<Record<SortKey, string>> = {
  created_at: madeAt(ROWS / 2).toISOString(),
  updated_at: madeAt(ROWS / 2).toISOString(),
  amount: '50000',
};
const positionIn = (sort: TransactionSort) => {
  const key = KEYS.find((each) => sort.startsWith(each)) ?? 'amount';
  return { sort, value: MIDDLE[key], id: '00000000-0000-7000-8000-00000000c350' };
};

/** The most rows and buffers that one statement may cost. */
type Bound = { readonly rows: number; readonly buffers: number };

/** The rows of the page itself, and the index paths to them. */
const PAGE: Bound = { rows: 60, buffers: 200 };

/** Five entries of an index for each permitted row, and the rows of the page. Several leads are counted by one statement. */
const BOUNDED: Bound = { rows: 5 * SCAN_LIMIT + 3 * 21, buffers: 5 * SCAN_LIMIT };

/** Common, rare and absent values of every filter, and pairs that never meet. */
const FILTERS: readonly [what: string, filter: object][] = [
  ['nothing', {}],
  ['id', { id: '00000000-0000-7000-8000-000000000001' }],
  ['a reconciliation id', { reconciliationId: reconciliationIdOf('00000000-0000-7000-8000-000000000001') }],
  ['a payment link', { paymentLinkId: '00000000-0000-7000-8000-000000000004' }],
  ['a rare status', { status: ['processing'] }],
  ['a common status', { status: ['capture_succeeded'] }],
  ['statuses', { status: ['processing', 'authorization_declined'] }],
  ['an amount', { amountEq: 7919 }],
  ['few amounts', { amountGte: 99_900 }],
  ['few amounts from below', { amountLte: 100 }],
  ['many amounts', { amountGte: 100 }],
  ['a rare currency', { currency: ['ISK'] }],
  ['a common currency', { currency: ['USD'] }],
  ['currencies', { currency: ['ISK', 'GBP'] }],
  ['a rare country', { country: ['IS'] }],
  ['a method that none has', { method: ['ideal'] }],
  ['a rare service', { paymentServiceId: [serviceId(2)] }],
  ['a common service', { paymentServiceId: [serviceId(1)] }],
  ['a rare stored method', { paymentMethodId: storedId('method', 2) }],
  ['a common stored method', { paymentMethodId: storedId('method', 1) }],
  ['a rare stored buyer', { buyerId: storedId('buyer', 2) }],
  ['a common stored buyer', { buyerId: storedId('buyer', 1) }],
  ['a rare scheme', { cardScheme: ['jcb'] }],
  ['a rare country of the card', { cardCountry: ['IS'] }],
  ['a rare source', { paymentSource: ['moto'] }],
  ["the merchant's own, of which there are none", { merchantInitiated: true }],
  ['following ones, of which there are none', { isSubsequentPayment: true }],
  ['the last hours', { createdAtGte: madeAt(ROWS - 500) }],
  ['the first hours', { createdAtLte: madeAt(500) }],
  ['a range of changes', { updatedAtGte: madeAt(1000), updatedAtLte: madeAt(1400) }],
  ["the provider's id", { paymentServiceTransactionId: 'psp_c4ca4238a0b923820dcc509a6f75849b' }],
  ['an external identifier', { externalIdentifier: 'order-1' }],
  ["the buyer's external identifier", { buyerExternalIdentifier: 'cust-10' }],
  ["the buyer's e-mail", { buyerEmailAddress: 'JANE10@example.com' }],
  ['a fingerprint', { cardFingerprint: 'fp-4' }],
  ['first digits', { cardBin: '40000004' }],
  ['last digits', { cardLastFour: '0004' }],
  ['a rare error', { errorCode: ['expired_card'] }],
  ['a common error', { errorCode: ['insufficient_funds'] }],
  ['a rare decision', { antiFraudDecision: ['review'] }],
  ['a common decision', { antiFraudDecision: ['accept'] }],
  ['open reviews', { pendingReview: true }],
  ['no open reviews', { pendingReview: false }],
  ['refunds', { hasRefunds: true }],
  ['no refunds', { hasRefunds: false }],
  ['disputes', { disputed: true }],
  ['no disputes', { disputed: false }],
  ['gift cards', { hasGiftCardRedemptions: true }],
  ['no gift cards', { hasGiftCardRedemptions: false }],
  ['an authentication', { hasThreeDSecure: true }],
  ['no authentication', { hasThreeDSecure: false }],
  ['a rare pair of metadata', { metadata: { cart: '40' } }],
  ['a rare and a common pair', { metadata: { cart: '40', channel: 'web' } }],
  ['a common pair', { metadata: { channel: 'web' } }],
  ['a search that finds one', { search: 'order-99999' }],
  ['a search that finds nothing', { search: 'nobody' }],
  ['a search that finds some', { search: 'order-123' }],
  ['a search of two words', { search: 'jane doe10' }],
  ['a search that finds everything', { search: 'order' }],
  ['a text inside a word', { contains: 'rder-9999' }],
  ['a text that none has', { contains: 'nobody' }],
  ['a search for ids', { search: '00000000-0000-7000-8000-000000000001' }],
  ['a rare status of a common pair', { status: ['processing'], metadata: { channel: 'web' } }],
  ['last digits and a status', { cardLastFour: '0004', status: ['capture_succeeded'] }],
];

it('every filter is tested', () => {
  const tried = new Set(FILTERS.flatMap(([, filter]) => Object.keys(filter)));
  expect(Object.keys(transactionFilter.shape).filter((name) => !tried.has(name))).toEqual([]);
});

describe('a page of transactions among 100 000', () => {
  it.each(FILTERS)('filtered by %s scan no more rows than permitted', async (_what, given) => {
    const filter = transactionFilter.parse(given);
    const bound = Object.keys(given).length === 0 ? PAGE : BOUNDED;
    for (const sort of sortsOf(KEYS)) {
      for (const direction of ['forward', 'backward'] as const) {
        for (const position of [null, positionIn(sort)]) {
          const costs = await costsOfPage({ sort, filter, direction, position });

          const page = `${sort} ${direction} ${position ? 'from the middle' : 'from the end'}`;
          const isDear = ({ rows, buffers, scans }: Cost): boolean =>
            rows > bound.rows || buffers > bound.buffers || scans.includes('Seq Scan');
          expect({ page, dear: costs.filter(isDear) }).toEqual({ page, dear: [] });
        }
      }
    }
  });

  it('costs a small account no more than a large one', async () => {
    for (const sort of sortsOf(KEYS)) {
      const filter = transactionFilter.parse({});
      const page = { sort, filter, direction: 'forward', position: null } as const;
      for (const cost of await costsOfPage(page, ACCOUNTS[4]))
        expect(cost.rows).toBeLessThanOrEqual(PAGE.rows);
    }
  });
});

describe('the lists of several records among 100 000', () => {
  const OWNERS: readonly Owners[] = [
    { column: 'buyer_id', ids: [storedId('buyer', 1), storedId('buyer', 2)] },
    { column: 'payment_method_id', ids: [storedId('method', 1), storedId('method', 2)] },
    { column: 'payment_service_id', ids: [serviceId(1), serviceId(2)] },
  ];
  const isDear = ({ rows, buffers, scans }: Cost): boolean =>
    rows > BOUNDED.rows || buffers > BOUNDED.buffers || scans.includes('Seq Scan');

  it.each(FILTERS)('filtered by %s scan no more rows than one list may', async (_what, given) => {
    const filter = transactionFilter.parse(given);
    for (const owners of OWNERS) {
      for (const sort of sortsOf(KEYS)) {
        const page = {
          sort,
          filter,
          columns: 'line',
          direction: 'forward',
          position: null,
          limit: 20,
        } as const;
        const costs = await costsOf(client, (db) =>
          readTransactionPages(db, ACCOUNTS[0], page, owners, SCAN_LIMIT),
        );
        expect({ owners, sort, dear: costs.filter(isDear) }).toEqual({ owners, sort, dear: [] });
      }
      const counted = { filter, atMost: 1_000, scanLimit: SCAN_LIMIT };
      const costs = await costsOf(client, (db) => countTransactionRowsOf(db, ACCOUNTS[0], counted, owners));
      expect({ owners, dear: costs.filter(isDear) }).toEqual({ owners, dear: [] });
    }
  });
});
