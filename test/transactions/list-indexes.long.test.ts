import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { reconciliationIdOf } from '../../src/kernel/reconciliation-id.ts';
import { transactionFilter } from '../../src/modules/transactions/model/filter.ts';
import type { SortKey, TransactionSort } from '../../src/modules/transactions/model/sort.ts';
import { listStatement, type TransactionPage } from '../../src/modules/transactions/read/list.sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { nodesOf } from '../support/plan.ts';
import { ACCOUNTS, madeAt, makeManyRows, ROWS, serviceId, storedId } from './many-rows.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeManyRows(database.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
}, 180_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** A node of an executed plan from `EXPLAIN (FORMAT JSON)`. */
type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
};

/** The cost of a page: the read rows of transactions and terms, and the read pages of tables and indexes. */
type Cost = {
  readonly rows: number;
  readonly buffers: number;
  readonly sorted: number;
  readonly scans: string;
};

async function costOf(
  page: Omit<TransactionPage, 'limit' | 'columns'>,
  account: string = ACCOUNTS[0],
): Promise<Cost> {
  const { text, values } = listStatement(account, { ...page, columns: 'line', limit: 20 });
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [...values],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('No plan');
  const nodes = nodesOf(plan);
  const looked = (node: Node): number =>
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const sum = (some: readonly Node[]): number => some.reduce((total, node) => total + looked(node), 0);
  const input = nodes.filter((node) => node['Node Type'] === 'Sort').flatMap(({ Plans = [] }) => Plans);
  return {
    rows: sum(nodes.filter((node) => node['Relation Name'] !== undefined)),
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    sorted: Math.max(0, ...input.map(looked)),
    scans: nodes
      .filter((node) => node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan')
      .map((node) => [node['Node Type'], node['Index Name']].filter(Boolean).join(' on '))
      .join(', '),
  };
}

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

/** The most rows and buffers that a page of 20 may cost, beside the page itself. */
type Bound = { readonly rows: number; readonly buffers: number };

/** The rows of the page itself, and the index paths to them. */
const PAGE: Bound = { rows: 60, buffers: 200 };
/** For a column of few values: the account's entries in one index, without table rows. */
const INDEX_OF_ACCOUNT: Bound = { rows: 60, buffers: 1_200 };
/**
 * The planner chooses between walking until the page is full and collecting all matches. The bound allows for its
 * misjudgement.
 */
const SOME_OF_ACCOUNT: Bound = { rows: 10_000, buffers: 12_000 };
/** Bounds a plan that collects and sorts all matches. */
const found = (rows: number): Bound => ({ rows: 3 * rows + 60, buffers: 6 * rows + 200 });
const BY_CREATION: readonly SortKey[] = ['created_at'];

/** Filters with the maximum cost of a page, and the sorts to test. */
const FILTERS: readonly [what: string, filter: object, bound: Bound, keys?: readonly SortKey[]][] = [
  ['nothing', {}, PAGE],
  ['id', { id: '00000000-0000-7000-8000-000000000001' }, PAGE],
  [
    'a reconciliation id',
    { reconciliationId: reconciliationIdOf('00000000-0000-7000-8000-000000000001') },
    PAGE,
  ],
  ['a payment link', { paymentLinkId: '00000000-0000-7000-8000-000000000004' }, PAGE],
  ['a rare status', { status: ['processing'] }, found(100)],
  ['a common status', { status: ['capture_succeeded'] }, PAGE],
  ['statuses', { status: ['processing', 'authorization_declined'] }, SOME_OF_ACCOUNT],
  ['an amount', { amountEq: 7919 }, PAGE],
  ['few amounts', { amountGte: 99_900 }, SOME_OF_ACCOUNT],
  ['few amounts from below', { amountLte: 100 }, SOME_OF_ACCOUNT],
  ['many amounts', { amountGte: 100 }, PAGE],
  ['a rare currency', { currency: ['ISK'] }, INDEX_OF_ACCOUNT],
  ['a common currency', { currency: ['USD'] }, PAGE],
  ['currencies', { currency: ['ISK', 'GBP'] }, INDEX_OF_ACCOUNT],
  ['a rare country', { country: ['IS'] }, INDEX_OF_ACCOUNT],
  ['a method that none has', { method: ['ideal'] }, INDEX_OF_ACCOUNT],
  ['a rare service', { paymentServiceId: [serviceId(2)] }, INDEX_OF_ACCOUNT],
  ['a common service', { paymentServiceId: [serviceId(1)] }, PAGE],
  ['a rare stored method', { paymentMethodId: storedId('method', 2) }, found(50)],
  ['a common stored method', { paymentMethodId: storedId('method', 1) }, PAGE],
  ['a rare stored buyer', { buyerId: storedId('buyer', 2) }, found(50)],
  ['a common stored buyer', { buyerId: storedId('buyer', 1) }, PAGE],
  ['a rare scheme', { cardScheme: ['jcb'] }, INDEX_OF_ACCOUNT],
  ['a rare country of the card', { cardCountry: ['IS'] }, INDEX_OF_ACCOUNT],
  ['a rare source', { paymentSource: ['moto'] }, INDEX_OF_ACCOUNT],
  ["the merchant's own, of which there are none", { merchantInitiated: true }, INDEX_OF_ACCOUNT],
  ['following ones, of which there are none', { isSubsequentPayment: true }, INDEX_OF_ACCOUNT],
  ['the last hours', { createdAtGte: madeAt(ROWS - 500) }, SOME_OF_ACCOUNT],
  // The latest changes belong to other rows. Only a walk through them finds how few matches remain.
  ['the first hours', { createdAtLte: madeAt(500) }, SOME_OF_ACCOUNT, ['created_at', 'amount']],
  ['a range of changes', { updatedAtGte: madeAt(1000), updatedAtLte: madeAt(1400) }, SOME_OF_ACCOUNT],
  ["the provider's id", { paymentServiceTransactionId: 'psp_c4ca4238a0b923820dcc509a6f75849b' }, PAGE],
  ['an external identifier', { externalIdentifier: 'order-1' }, PAGE],
  ["the buyer's external identifier", { buyerExternalIdentifier: 'cust-10' }, PAGE],
  ["the buyer's e-mail", { buyerEmailAddress: 'JANE10@example.com' }, PAGE],
  ['a fingerprint', { cardFingerprint: 'fp-4' }, PAGE],
  ['first digits', { cardBin: '40000004' }, found(80)],
  ['last digits', { cardLastFour: '0004' }, PAGE],
  ['a rare error', { errorCode: ['expired_card'] }, found(50)],
  ['a common error', { errorCode: ['insufficient_funds'] }, SOME_OF_ACCOUNT],
  ['a rare decision', { antiFraudDecision: ['review'] }, found(50)],
  ['a common decision', { antiFraudDecision: ['accept'] }, PAGE],
  ['open reviews', { pendingReview: true }, found(25)],
  ['no open reviews', { pendingReview: false }, PAGE],
  ['refunds', { hasRefunds: true }, found(200)],
  ['no refunds', { hasRefunds: false }, PAGE],
  ['gift cards', { hasGiftCardRedemptions: true }, found(50)],
  ['no gift cards', { hasGiftCardRedemptions: false }, PAGE],
  ['an authentication', { hasThreeDSecure: true }, found(50)],
  ['no authentication', { hasThreeDSecure: false }, PAGE],
  ['a rare pair of metadata', { metadata: { cart: '40' } }, PAGE],
  ['a rare and a common pair', { metadata: { cart: '40', channel: 'web' } }, PAGE],
  ['a common pair', { metadata: { channel: 'web' } }, PAGE, BY_CREATION],
  ['a search that finds one', { search: 'order-99999' }, PAGE],
  ['a search that finds nothing', { search: 'nobody' }, PAGE],
  ['a search that finds some', { search: 'order-123' }, found(120)],
  ['a search of two words', { search: 'jane doe10' }, { rows: 13_000, buffers: 6_000 }],
  // The plan reads and sorts entries of the index of terms, and then the rows of the page.
  ['a search that finds everything', { search: 'order' }, { rows: 61_000, buffers: 6_000 }, BY_CREATION],
  ['a search for ids', { search: '00000000-0000-7000-8000-000000000001' }, PAGE],
  ['a rare status of a common pair', { status: ['processing'], metadata: { channel: 'web' } }, found(2100)],
  ['last digits and a status', { cardLastFour: '0004', status: ['capture_succeeded'] }, PAGE],
];

it('every filter is tested', () => {
  const tried = new Set(FILTERS.flatMap(([, filter]) => Object.keys(filter)));
  expect(Object.keys(transactionFilter.shape).filter((name) => !tried.has(name))).toEqual([]);
});

describe('a page of transactions among 100 000', () => {
  it.each(FILTERS)(
    'filtered by %s reads no more than necessary',
    async (_what, given, bound, keys = KEYS) => {
      const filter = transactionFilter.parse(given);
      for (const sort of sortsOf(keys)) {
        for (const direction of ['forward', 'backward'] as const) {
          for (const position of [null, positionIn(sort)]) {
            const cost = await costOf({ sort, filter, direction, position });

            const page = `${sort} ${direction} ${position ? 'from the middle' : 'from the end'}: ${JSON.stringify(cost)}`;
            expect({ page, seq: cost.scans.includes('Seq Scan') }).toEqual({ page, seq: false });
            expect({ page, rows: Math.min(cost.rows, bound.rows) }).toEqual({ page, rows: cost.rows });
            expect({ page, buffers: Math.min(cost.buffers, bound.buffers) }).toEqual({
              page,
              buffers: cost.buffers,
            });
            expect({ page, sorted: Math.min(cost.sorted, bound.rows) }).toEqual({
              page,
              sorted: cost.sorted,
            });
          }
        }
      }
    },
  );

  it('costs a small account no more than a large one', async () => {
    for (const sort of sortsOf(KEYS)) {
      const filter = transactionFilter.parse({});
      const cost = await costOf({ sort, filter, direction: 'forward', position: null }, ACCOUNTS[4]);
      expect(cost.rows).toBeLessThanOrEqual(PAGE.rows);
    }
  });
});
