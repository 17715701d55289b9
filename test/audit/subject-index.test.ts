import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { readIdsOfSubject } from '../../src/modules/audit/by-subject.sql.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { connectForCosts, costsOf } from '../support/statement-costs.ts';

/** Entries of two accounts. A common subject made half of them, a rare one a few, and background work the rest. */
const ENTRIES = `INSERT INTO audit_entry (merchant_account_id, id, action, target_type, target_id, actor_kind, actor, created_at)
  SELECT 'account-' || i % 2, ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'buyer.updated', 'buyer', i::text,
    'person', CASE WHEN i % 1000 < 2 THEN '{"kind": "person", "subject": "Rare"}'
      WHEN i % 4 < 2 THEN '{"kind": "person", "subject": "Common"}' ELSE '{"kind": "system", "id": null}' END, now()
  FROM generate_series(1, 20000) i`;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await query(database.url, ENTRIES);
  await query(database.url, 'VACUUM ANALYZE audit_entry');
  client = await connectForCosts(database.url);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const LIMIT = 20;
const EVER = { from: '00000000-0000-0000-0000-000000000000', to: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

describe('a page of the entries of a subject among 20 000', () => {
  it.each(
    ['Common', 'rare', 'nobody'].flatMap((subject) =>
      (['forward', 'backward'] as const).flatMap((direction) =>
        [null, '00000000-0000-7000-8000-000000002710'].map((cursor) => [subject, direction, cursor] as const),
      ),
    ),
  )('of %s, %s from %s, scans the rows of the page alone', async (actorSubject, direction, cursor) => {
    const page = { direction, cursor, limit: LIMIT };

    const costs = await costsOf(client, (db) =>
      readIdsOfSubject(db, 'account-1', page, { actorSubject }, EVER),
    );

    expect(costs).toEqual([
      expect.objectContaining({ scans: expect.stringContaining('audit_entry_subject_idx') }),
    ]);
    expect(costs[0]?.rows).toBeLessThanOrEqual(LIMIT + 1);
  });
});
