import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { buyerFilter, paymentMethodFilter } from '../../src/modules/payment-methods/model/filter.ts';
import { buyerList } from '../../src/modules/payment-methods/store/buyers/buyer-list.ts';
import { paymentMethodList } from '../../src/modules/payment-methods/store/payment-method-list.ts';
import { NEWEST_FIRST } from '../../src/platform/lists/sort.ts';
import { readSortedPage, type Sorted } from '../../src/platform/lists/sorted-page.sql.ts';
import { makeRows, READER } from '../bench/lists/rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { costsOf, type Cost } from '../support/statement-costs.ts';
import { madeAt } from '../transactions/many-rows.ts';

const ROWS = 60_000;

/** The rows that a statement may scan. */
const SCAN_LIMIT = 1_000;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeRows(database.url, 'buyers', ROWS);
  await makeRows(database.url, 'paymentMethods', ROWS);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
}, 180_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

const uuid = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** The rows of the page itself, and the index paths to them. */
const PAGE = { rows: 60, buffers: 200 };

/** Five entries of an index for each permitted row, and the rows of the page. Several leads are counted by one statement. */
const BOUNDED = { rows: 5 * SCAN_LIMIT + 3 * 21, buffers: 5 * SCAN_LIMIT };

const METHODS: readonly [what: string, filter: object][] = [
  ['nothing', {}],
  ['a buyer', { buyerId: uuid(101) }],
  ["a buyer's identifier", { buyerExternalIdentifier: 'cust-101' }],
  ['a rare method', { method: ['paypal'] }],
  ['a common method', { method: ['card'] }],
  ['an absent method', { method: ['ideal'] }],
  ['two methods', { method: ['ideal', 'card'] }],
  ['a rare status', { status: ['failed'] }],
  ['a common status', { status: ['succeeded'] }],
  ['a fingerprint', { fingerprint: 'fp-77' }],
  ['an external identifier', { externalIdentifier: 'mine-77' }],
  ['the newest hours', { createdAtGte: madeAt(ROWS - 500) }],
  ['a range in the middle', { createdAtGte: madeAt(20_000), createdAtLte: madeAt(30_000) }],
  ['a search that finds one', { search: 'mine-49999' }],
  ['a search that finds some', { search: 'mine-499' }],
  ['a search that finds everything', { search: 'mine' }],
  ['a search that finds nothing', { search: 'nobody' }],
  ['a text inside a word', { contains: 'ine-4' }],
  ['a text that none has', { contains: 'nobody' }],
  ['a text that none has, of some days', { contains: 'nobody', createdAtGte: madeAt(ROWS - 5_000) }],
  ['a rare method with a rare status, never both', { method: ['paypal'], status: ['failed'] }],
  ['a common search with an absent method', { search: 'visa', method: ['ideal'] }],
];

const BUYERS: readonly [what: string, filter: object][] = [
  ['nothing', {}],
  ['an external identifier', { externalIdentifier: 'cust-1' }],
  ['the newest hours', { createdAtGte: madeAt(ROWS - 500) }],
  ['the oldest hours', { createdAtLte: madeAt(500) }],
  ['a search that finds one', { search: 'cust-49999' }],
  ['a search that finds some', { search: 'doe123' }],
  ['a search that finds everything', { search: 'jane' }],
  ['a common search that nothing ends', { search: 'jane nobody' }],
  ['two common words', { search: 'jane cust' }],
  ['a text inside a word', { contains: 'ane d' }],
  ['a text that none has', { contains: 'nobody' }],
];

it.each([
  ['payment methods', paymentMethodFilter, METHODS],
  ['buyers', buyerFilter, BUYERS],
])('every filter of %s is tested', (_, { shape }, filters) => {
  const tried = new Set(filters.flatMap(([, filter]) => Object.keys(filter)));
  expect(Object.keys(shape).filter((name) => !tried.has(name))).toEqual([]);
});

type Place = { readonly direction: 'forward' | 'backward'; readonly position: typeof MIDDLE | null };

/** Reads pages in both directions, from the end and from the middle. Answers the statements that cost too much. */
async function dearOf(given: object, listOf: (place: Place) => Sorted<unknown>) {
  const most = Object.keys(given).length === 0 ? PAGE : BOUNDED;
  const isDear = ({ rows, buffers, scans }: Cost): boolean =>
    rows > most.rows || buffers > most.buffers || scans.includes('Seq Scan');
  const dear: object[] = [];
  for (const direction of ['forward', 'backward'] as const)
    for (const position of [null, MIDDLE]) {
      const list = listOf({ direction, position });
      const costs = await costsOf(client, (db) =>
        readSortedPage(db, list, { limit: 21, scanLimit: SCAN_LIMIT }),
      );
      dear.push(...costs.filter(isDear).map((cost) => ({ direction, position, ...cost })));
    }
  return dear;
}

const MIDDLE = { sort: NEWEST_FIRST, value: madeAt(ROWS / 2).toISOString(), id: uuid(ROWS / 2) };

describe('a page among 60 000', () => {
  it.each(METHODS)('payment methods filtered by %s scan no more rows than permitted', async (_, given) => {
    const { buyerExternalIdentifier: _none, ...filter } = paymentMethodFilter.parse(given);
    const listOf = (page: Place) =>
      paymentMethodList(READER, { sort: NEWEST_FIRST, filter, ...page }, 'whole');
    expect(await dearOf(given, listOf)).toEqual([]);
  });

  it.each(BUYERS)('buyers filtered by %s scan no more rows than permitted', async (_, given) => {
    const filter = buyerFilter.parse(given);
    const listOf = (page: Place) => buyerList(READER, { sort: NEWEST_FIRST, filter, ...page }, 'whole');
    expect(await dearOf(given, listOf)).toEqual([]);
  });
});
