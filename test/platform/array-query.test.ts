import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDb, sqlState, type Db } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

// A named statement with rows as arrays answers as the driver's own query does.

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that every statement meets the state that the one before it left.
  db = openDb({ url: database.url, connectionMax: 1, applicationName: 'test' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const VALUES = `NULL::text, 'Zoë €', 7, 9007199254740991::bigint, 1.5::numeric, true, '{"a": [1]}'::jsonb, ARRAY['x', NULL],
  ARRAY[1, 2], '2026-01-31 09:30:00.25+00'::timestamptz, '2026-01-31'::date, '\\x00ff'::bytea, gen_random_uuid() IS NULL`;

/** A statement that no program sends, so it is not in the list of prepared statements. */
const statement = (name: string | null, text: string, values: readonly unknown[] = []): Statement => ({
  ...{ name, text, values },
  asArrays: true,
});

const typed = (rows: number, name: string | null = 'test_types') =>
  statement(name, `SELECT ${VALUES} FROM generate_series(1, $1::int) ORDER BY 1`, [rows]);

it('reads every type as the driver does, at the first run and at later ones', async () => {
  const byDriver = await db.query(typed(2, null));

  expect(byDriver).toHaveLength(2);
  expect(byDriver[0]).toContainEqual(new Date('2026-01-31T09:30:00.250Z'));
  for (let run = 0; run < 3; run += 1) expect(await db.query(typed(2))).toEqual(byDriver);
  expect(await db.query(typed(0))).toEqual([]);
});

it('sends values as the driver does', async () => {
  const text = 'SELECT $1::text, $2::text, $3::text[], $4::timestamptz, $5::bool, $6::jsonb, $7::int';
  const values = [
    ...['a"b\\c', null, ['x', 'a,"b"', null], new Date(1_700_000_000_123)],
    ...[false, { a: 1 }, -3],
  ];

  expect(await db.query(statement('test_values', text, values))).toEqual(
    await db.query(statement(null, text, values)),
  );
});

it('rejects with the code of Postgres, and leaves the connection ready', async () => {
  const run = (given: string) => db.query(statement('test_cast', 'SELECT $1::text::uuid', [given]));
  const id = '00000000-0000-7000-8000-000000000001';

  const failures = [await run('none').catch(sqlState), await run('none').catch(sqlState)];

  expect(failures).toEqual(['22P02', '22P02']);
  expect(await run(id)).toEqual([[id]]);
  expect(await run('none').catch(sqlState)).toBe('22P02');
  expect(await run(id)).toEqual([[id]]);
});

it('prepares and describes anew on a new connection', async () => {
  const pid = statement('test_pid', 'SELECT pg_backend_pid()');
  const end = statement('test_end', 'SELECT pg_terminate_backend(pg_backend_pid())');
  const before = await db.query(pid);

  await expect(db.query(end)).rejects.toThrow();

  const after = await db.query(pid);
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect(await db.query(pid)).toEqual(after);
});

it('refuses a statement whose columns have changed, and never reads them as before', async () => {
  await db.query(statement(null, 'CREATE TEMP TABLE test_shape AS SELECT 1 AS value'));
  const read = statement('test_shape', 'SELECT value FROM test_shape');

  expect(await db.query(read)).toEqual([[1]]);
  await db.query(statement(null, 'ALTER TABLE test_shape ALTER COLUMN value TYPE text'));

  await expect(db.query(read)).rejects.toThrow('cached plan must not change result type');
});
