import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import {
  LEFT_BEHIND,
  movingTables,
  readTables,
  travellingRows,
  WRITTEN_FROM_LOGS,
} from '../../src/platform/moves/tables.sql.ts';
import { connectOnce } from '../../src/platform/postgres/connect.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = await connectOnce(database.url);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Columns of 64 bits that count something of the account itself, and mean the same in every database. */
const OF_THE_ACCOUNT: readonly string[] = [
  'anti_fraud_report.sequence',
  'audit_block.sequence',
  'audit_chain.floor_sequence',
  'audit_chain.sequence',
  'dashboard_passkey.counter',
  'export.bytes',
  'feed_entry.sequence',
  'feed_head.floor',
  'feed_head.sequence',
  'outlet_position.sequence',
  'replay_job.done_sequence',
  'replay_job.from_sequence',
  'replay_job.until_sequence',
];

/** The tables of the installation, which have no account. */
const OF_THE_INSTALLATION: readonly string[] = [
  '_prisma_migrations',
  'account_move',
  'api_key_pair',
  'dashboard_challenge',
  'event_pending',
  'installation_fact',
  'log_cursor',
  'outlet',
];

it('every table moves, or is listed', async () => {
  const tables = await query<{ name: string }>(
    database.url,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
  );
  const moving = movingTables(await readTables(client)).map(({ name }) => name);

  expect([...moving, ...LEFT_BEHIND, ...OF_THE_INSTALLATION].toSorted()).toEqual(
    tables.map(({ name }) => name).toSorted(),
  );
  expect(moving.indexOf('feed_entry')).toBeLessThan(moving.indexOf('event'));
  expect(WRITTEN_FROM_LOGS.filter((name) => ![...moving, ...LEFT_BEHIND].includes(name))).toEqual([]);
});

it('every column of 64 bits travels in another form, or counts for its account alone', async () => {
  const columns = await query<{ table: string; column: string }>(
    database.url,
    `SELECT c.relname AS table, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid IN ('int8'::regtype, '_int8'::regtype)`,
  );
  const moving = new Map(movingTables(await readTables(client)).map((table) => [table.name, table]));

  const asTheyAre = columns.filter(({ table, column }) => {
    const known = moving.get(table);
    return known && travellingRows(known).includes(`t."${column}" AS "${column}"`);
  });

  // Reports and settlements have amounts.
  const counting = asTheyAre.filter(({ table }) => !/^(report_|settlement$)/.test(table));
  expect(counting.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(OF_THE_ACCOUNT);
});
