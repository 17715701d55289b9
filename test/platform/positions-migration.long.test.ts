import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MIGRATIONS_FOLDER } from '../../src/platform/migrate/files.ts';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.ts';
import { WAITING_EVENTS } from '../support/waiting-events.ts';

// A database of the former version, with rows that the migrations of the positions must keep.

const FIRST = '20261128210000_log_cursors';

const CHAINED = 1_203;

/** The retention has removed so many entries of the second account while the migration copied its chain. */
const REMOVED = 2;

/** A role that may use the tables and owns none. */
const ROLE = `positions_${process.pid}`;

const TABLES = ['event', 'ledger_entry', 'operation', 'audit_entry', 'feed_head'];

const BEFORE = `
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT 'a', gen_random_uuid(), 'test.n' || nth, 'test', 't', '{}', now() FROM generate_series(1, 5) nth ORDER BY nth;
  INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
  SELECT 'a', row_number() OVER (ORDER BY position), position, now() FROM event WHERE name NOT IN ('test.n2', 'test.n5');
  INSERT INTO event_pending SELECT position FROM event WHERE name IN ('test.n2', 'test.n5');
  INSERT INTO audit_entry (merchant_account_id, id, action, target_type, target_id, actor_kind, actor, created_at, sequence, hash)
  SELECT account, gen_random_uuid(), 'buyer.updated', 'buyer', 'b', 'system', '{}', now(), nth, account || ' hash ' || nth
  FROM (VALUES ('a', ${CHAINED}), ('b', 5)) AS chain (account, length) CROSS JOIN generate_series(1, length) nth;
  INSERT INTO audit_entry (merchant_account_id, id, action, target_type, target_id, actor_kind, actor, created_at)
  SELECT 'a', gen_random_uuid(), 'waits', 'buyer', 'b', 'system', '{}', now() FROM generate_series(1, 2);
  INSERT INTO audit_chain (merchant_account_id, sequence, hash, seal) VALUES ('a', ${CHAINED}, '', ''), ('b', 5, '', '');
  CREATE TABLE chained_before AS
    SELECT merchant_account_id, sequence, id, hash FROM audit_entry WHERE sequence > CASE merchant_account_id WHEN 'b' THEN ${REMOVED} ELSE 0 END;
  UPDATE audit_chain SET floor_sequence = ${REMOVED} WHERE merchant_account_id = 'b';
  CREATE ROLE ${ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLES.join(', ')} TO ${ROLE}`;

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-migrations-'));
  // The migrations of the former version alone.
  await cp(MIGRATIONS_FOLDER, folder, {
    recursive: true,
    filter: (source) => basename(source) < FIRST || !/^\d{14}_/.test(basename(source)),
  });
  await migrate(database.url, { folder });
  await query(database.url, BEFORE);
  // A backup reads the tables, and ends after a second. No migration fails for it.
  const backup = new pg.Client({ connectionString: database.url });
  await backup.connect();
  await backup.query(`BEGIN; SELECT FROM ${TABLES.join(', ')}`);
  const migrated = migrate(database.url);
  await delay(1_000);
  await backup.query('COMMIT');
  await backup.end();
  await migrated;
}, 120_000);
afterAll(async () => {
  await query(database.url, `DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
  await database.drop();
  await rm(folder, { recursive: true });
});

describe('the migrations of the positions', () => {
  it('leave the events to the relay that waited for it, and no other', async () => {
    const waiting = `SELECT name FROM event WHERE position IN (${WAITING_EVENTS}) ORDER BY position`;

    expect(await query(database.url, waiting)).toEqual([{ name: 'test.n2' }, { name: 'test.n5' }]);
  });

  it('keep the place and the hash of every chained entry, in blocks of at most 500', async () => {
    const places = `SELECT merchant_account_id, sequence + nth - 1 AS sequence, ids[nth] AS id, hashes[nth] AS hash
      FROM audit_block CROSS JOIN LATERAL generate_subscripts(ids, 1) nth`;
    const differing = `(TABLE chained_before EXCEPT ${places}) UNION ALL (${places} EXCEPT TABLE chained_before)`;

    expect(await query(database.url, differing)).toEqual([]);
    const lengths = `SELECT merchant_account_id AS account, cardinality(ids) AS length FROM audit_block ORDER BY 1, sequence`;
    expect(await query(database.url, lengths)).toEqual([
      ...[500, 500, 203].map((length) => ({ account: 'a', length })),
      { account: 'b', length: 5 - REMOVED },
    ]);
  });

  it('leave the other entries to the chain', async () => {
    const waiting = `SELECT e.action FROM audit_entry e JOIN log_cursor c ON c.name = 'audit' WHERE e.position > c.position`;

    expect(await query(database.url, waiting)).toEqual([{ action: 'waits' }, { action: 'waits' }]);
  });

  it('begin a block behind the entries that the retention removed meanwhile', async () => {
    const ends = `SELECT sequence, first_id = (SELECT min(id::text)::uuid FROM unnest(ids) id) AS first,
      last_id = (SELECT max(id::text)::uuid FROM unnest(ids) id) AS last FROM audit_block WHERE merchant_account_id = 'b'`;

    expect(await query(database.url, ends)).toEqual([
      { sequence: String(REMOVED + 1), first: true, last: true },
    ]);
  });

  it('let every role use the new tables and sequences that could use the old ones', async () => {
    const rights = `SELECT has_table_privilege('${ROLE}', 'log_cursor', 'UPDATE') AS cursor,
      has_table_privilege('${ROLE}', 'audit_block', 'INSERT') AS block, (
        SELECT array_agg(has_sequence_privilege('${ROLE}', name, 'USAGE'))
        FROM unnest(ARRAY['ledger_entry_position_seq', 'operation_position_seq', 'audit_entry_position_seq']) name) AS sequences`;

    expect(await query(database.url, rights)).toEqual([
      { cursor: true, block: true, sequences: [true, true, true] },
    ]);
  });
});
