import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { paymentMethodFilter } from '../../src/modules/payment-methods/model/filter.ts';
import { listStatement } from '../../src/modules/payment-methods/store/payment-method-lists.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { nodesOf } from '../support/plan.ts';
import { type Input } from './stored-harness.ts';

const uuid = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

describe('a page among 60 000', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(MANY);
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** The most rows that a page of 20 may read: the page itself, or all matches of a rare value. */
  it.each<[string, Input, number]>([
    ['nothing', {}, 25],
    ['a buyer', { buyerId: uuid(7) }, 100],
    ['a rare method', { method: ['paypal'] }, 100],
    ['a common method', { method: ['card'] }, 100],
    ['a rare status', { status: ['failed'] }, 100],
    ['a common status', { status: ['succeeded'] }, 100],
    ['a fingerprint', { fingerprint: 'fp-77' }, 100],
    ['an external identifier', { externalIdentifier: 'mine-77' }, 100],
    ['a search that finds one', { search: 'mine-49999' }, 100],
    ['a search that finds some', { search: 'mine-499' }, 300],
    ['a search that finds nothing', { search: 'nobody' }, 25],
  ])('by %s reads no more than necessary, in both directions', async (_, given, most) => {
    const { buyerExternalIdentifier: _none, ...conditions } = paymentMethodFilter.parse(given);
    for (const direction of ['forward', 'backward'] as const) {
      for (const cursor of [null, uuid(30_000)]) {
        const { text, values } = listStatement(
          'account-1',
          { direction, limit: 20, cursor },
          { conditions, columns: 'whole' },
        );
        const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          [...values],
        );
        const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
        const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
        const read = scans.map((node) => looked(node)).reduce((sum, each) => sum + each, 0);
        const page = `${direction} ${cursor ?? 'from the end'}: ${JSON.stringify(scans.map((node) => node['Index Name'] ?? node['Node Type']))}`;
        expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
        expect([page, Math.min(read, most)]).toEqual([page, read]);
      }
    }
  });
});

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
};

const looked = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

const UUID_SQL = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

/** Inserts 50 000 and 10 000 rows of two merchant accounts, with a buyer for each 50. Some values are rare. */
const MANY = `
  INSERT INTO merchant_account (id, display_name, created_at, updated_at)
    SELECT 'account-' || n, 'A', now(), now() FROM generate_series(1, 2) n;
  INSERT INTO buyer (merchant_account_id, id, created_at, updated_at)
    SELECT 'account-1', ${UUID_SQL}, now(), now() FROM generate_series(0, 999) n;
  INSERT INTO payment_method (merchant_account_id, id, buyer_id, method, instrument_type, status, fingerprint,
      external_identifier, additional_schemes, created_at, updated_at)
    SELECT CASE WHEN n <= 50000 THEN 'account-1' ELSE 'account-2' END, ${UUID_SQL},
      CASE WHEN n <= 50000 THEN ('00000000-0000-7000-8000-' || lpad(to_hex(n % 1000), 12, '0'))::uuid END,
      CASE WHEN n % 1000 = 0 THEN 'paypal' ELSE 'card' END, CASE WHEN n % 1000 = 0 THEN 'redirect' ELSE 'pan' END,
      CASE WHEN n % 1000 = 1 THEN 'failed' ELSE 'succeeded' END, 'fp-' || (n % 5000), 'mine-' || n, '{}', now(), now()
    FROM generate_series(1, 60000) n;
  INSERT INTO payment_method_term (merchant_account_id, term, payment_method_id)
    SELECT merchant_account_id, external_identifier, id FROM payment_method
    UNION SELECT merchant_account_id, method, id FROM payment_method;
  ANALYZE payment_method; ANALYZE payment_method_term; ANALYZE buyer`;
