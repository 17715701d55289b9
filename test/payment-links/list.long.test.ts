import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { paymentLinkFilter } from '../../src/modules/payment-links/filter.ts';
import { linkList, type LinkPage } from '../../src/modules/payment-links/store/list.ts';
import type { Sort, SortKey } from '../../src/platform/lists/sort.ts';
import { readSortedPage } from '../../src/platform/lists/sorted-page.sql.ts';
import { makeRows, READER } from '../bench/lists/rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { connectForCosts, costsOf, type Cost } from '../support/statement-costs.ts';
import { madeAt, storedId } from '../transactions/many-rows.ts';

const ROWS = 60_000;

/** The rows that a statement may scan. */
const SCAN_LIMIT = 1_000;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeRows(database.url, 'paymentLinks', ROWS);
  client = await connectForCosts(database.url);
}, 180_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

const FILTERS: readonly [what: string, filter: object][] = [
  ['nothing', {}],
  ['an id', { id: '00000000-0000-7000-8000-000000000001' }],
  ['a common status', { status: ['completed'] }],
  ['a rare status', { status: ['processing'] }],
  ['a status that none has', { status: ['expired'] }],
  ['an active status', { status: ['active'] }],
  ['an amount', { amountEq: 7919 }],
  ['few amounts', { amountGte: 99_990 }],
  ['many amounts', { amountGte: 100, amountLte: 99_000 }],
  ['a rare currency', { currency: ['ISK'] }],
  ['a country that none has', { country: ['DE'] }],
  ['the newest hours', { createdAtGte: madeAt(ROWS - 500) }],
  ['the oldest hours', { createdAtLte: madeAt(500) }],
  ['a range of changes', { updatedAtGte: madeAt(1000), updatedAtLte: madeAt(1400) }],
  ['an end that none has', { expiresAtGte: madeAt(0), expiresAtLte: madeAt(1440) }],
  ['a rare buyer', { buyerId: storedId('buyer', 2) }],
  ["a buyer's identifier", { buyerExternalIdentifier: 'cust-10' }],
  ["a buyer's e-mail", { buyerEmailAddress: 'jane10@example.com' }],
  ['an external identifier', { externalIdentifier: 'order 777' }],
  ['a rare pair of metadata', { metadata: { cart: '778' } }],
  ['a common pair of metadata', { metadata: { channel: 'web' } }],
  ['a search that finds one', { search: 'order 779' }],
  ['a search that finds everything', { search: 'order' }],
  ['a search that finds nothing', { search: 'nobody' }],
  ['a search for an id', { search: '00000000-0000-7000-8000-000000000001' }],
  ['a text inside a word', { contains: 'der 77' }],
  ['a text that none has', { contains: 'nobody' }],
  ['a common status in a country that none has', { status: ['completed'], country: ['DE'] }],
];

it('every filter is tested', () => {
  const tried = new Set(FILTERS.flatMap(([, filter]) => Object.keys(filter)));
  expect(Object.keys(paymentLinkFilter.shape).filter((name) => !tried.has(name))).toEqual([]);
});

const KEYS: readonly SortKey[] = ['created_at', 'updated_at', 'amount'];
const SORTS: readonly Sort[] = KEYS.flatMap((key) => [`${key}_asc`, `${key}_desc`] as const);

/** The rows of the page itself, and the index paths to them. */
const PAGE = { rows: 60, buffers: 200 };

/** Five entries of an index for each permitted row, and the rows of the page. Several leads are counted by one statement. */
const BOUNDED = { rows: 5 * SCAN_LIMIT + 3 * 21, buffers: 5 * SCAN_LIMIT };

describe('a page among 60 000 payment links', () => {
  it.each(FILTERS)('filtered by %s scan no more rows than permitted', async (_, given) => {
    const filter = paymentLinkFilter.parse(given);
    const most = Object.keys(given).length === 0 ? PAGE : BOUNDED;
    const isDear = ({ rows, buffers, scans }: Cost): boolean =>
      rows > most.rows || buffers > most.buffers || scans.includes('Seq Scan');
    for (const sort of SORTS)
      for (const direction of ['forward', 'backward'] as const) {
        const page: LinkPage = { sort, filter, direction, position: null };
        const costs = await costsOf(client, (db) =>
          readSortedPage(db, linkList(READER, page, 'whole'), { limit: 21, scanLimit: SCAN_LIMIT }),
        );

        expect({ sort, direction, dear: costs.filter(isDear) }).toEqual({ sort, direction, dear: [] });
      }
  });
});
