import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { paymentLinkFilter } from '../../src/modules/payment-links/filter.ts';
import { linkListStatement, type LinkPage } from '../../src/modules/payment-links/store/list.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';

describe('a page among very many payment links', () => {
  const ROWS = 20_000;
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    await query(database.url, `INSERT INTO merchant_account VALUES ('big', 'Big', NULL, NULL, now(), now())`);
    await query(database.url, MANY, [ROWS]);
    await query(database.url, 'VACUUM ANALYZE payment_link, payment_link_term');
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  type Node = {
    readonly 'Shared Hit Blocks': number;
    readonly 'Shared Read Blocks': number;
  };
  const buffersOf = async (filter: object, sort: LinkPage['sort'], direction: LinkPage['direction']) => {
    const requested = {
      ...{ sort, direction, position: null, limit: 20, columns: 'whole' as const },
      filter: paymentLinkFilter.parse(filter),
    };
    const { text, values } = linkListStatement('big', requested);
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      [...values],
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (!plan) throw new Error('No plan');
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };

  // The table has some 1,500 pages, and the largest index some 400.
  it.each([
    [{}, 60],
    [{ status: ['active'] }, 200],
    [{ status: ['completed'] }, 500],
    [{ currency: ['EUR'] }, 500],
    [{ externalIdentifier: 'order 777' }, 60],
    [{ metadata: { cart: '778' } }, 60],
    [{ metadata: { channel: 'web' } }, 300],
    [{ search: 'order 779' }, 3_000],
    [{ amountGte: 9_990_000 }, 300],
  ])('filtered by %j reads a part of them', async (filter, most) => {
    const key = 'amountGte' in filter ? 'amount' : 'created_at';
    for (const sort of [`${key}_desc`, `${key}_asc`] as const)
      expect(await buffersOf(filter, sort, 'forward')).toBeLessThanOrEqual(most);
  });

  it.each(['created_at', 'updated_at', 'amount'] as const)(
    'sorted by %s, is read from an index',
    async (key) => {
      for (const sort of [`${key}_desc`, `${key}_asc`] as const)
        for (const direction of ['forward', 'backward'] as const)
          expect(await buffersOf({}, sort, direction)).toBeLessThanOrEqual(60);
    },
  );
});

const MANY = `
  INSERT INTO payment_link (merchant_account_id, id, token_digest, sealed_token, status, amount, currency, country, intent,
    payment_source, store, external_identifier, metadata, expires_at, created_at, updated_at)
  SELECT 'big', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n::text, '',
    CASE WHEN n % 1000 = 0 THEN 'completed' ELSE 'active' END, n * 500 % 10000000,
    CASE WHEN n % 2000 = 0 THEN 'EUR' ELSE 'USD' END, 'US', 'authorize', 'ecommerce', false, 'order ' || n,
    jsonb_build_object('cart', n::text, 'channel', 'web'), now() + interval '1 day',
    now() - n * interval '1 minute', now() - (n * 7919 % 20000) * interval '1 minute'
  FROM generate_series(1, $1::int) AS n`;
