import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import { findingsOf } from './check.ts';
import type { RuleName } from './rules.ts';

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    CREATE SEQUENCE s;
    CREATE TABLE operation (id int PRIMARY KEY, kind text, amount int);
    INSERT INTO operation VALUES (1, 'capture', 1299)`);
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Tells whether a statement writes the table anew. Postgres then keeps the table in another file. */
async function rewrites(statement: string): Promise<boolean> {
  const file = async (): Promise<unknown> =>
    (await client.query<{ node: string }>(`SELECT pg_relation_filenode('operation') AS node`)).rows[0]?.node;
  const before = await file();
  await client.query(statement);
  return (await file()) !== before;
}

const rulesFor = async (script: string): Promise<readonly RuleName[]> =>
  (await findingsOf([{ name: 'm', script }], { version: '1.0.0', unread: {} })).map(({ rule }) => rule);

const ADD = 'ALTER TABLE operation ADD COLUMN x';

describe('Postgres', () => {
  it.each<readonly [string, RuleName]>([
    [`${ADD} uuid DEFAULT gen_random_uuid()`, 'default'],
    [`${ADD} bigint DEFAULT nextval('s')`, 'default'],
    [`${ADD} timestamptz DEFAULT clock_timestamp()`, 'default'],
    [`${ADD} bigserial`, 'default'],
    [`${ADD} int GENERATED ALWAYS AS IDENTITY`, 'default'],
    [`${ADD} int GENERATED ALWAYS AS (amount + 1) STORED`, 'default'],
    ['ALTER TABLE operation ALTER COLUMN amount TYPE bigint', 'type'],
    ['ALTER TABLE operation SET UNLOGGED', 'rewrite'],
    ['TRUNCATE operation', 'rewrite'],
    ['VACUUM FULL operation', 'rewrite'],
    ['CLUSTER operation USING operation_pkey', 'rewrite'],
  ])('rewrites the table with %s', async (statement, rule) => {
    expect(await rewrites(statement)).toBe(true);
    expect(await rulesFor(statement)).toEqual([rule]);
  });

  it.each([
    `${ADD} text`,
    `${ADD} timestamptz NOT NULL DEFAULT now()`,
    `${ADD} timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP`,
    `${ADD} text[] NOT NULL DEFAULT '{}'::text[]`,
    `${ADD} int GENERATED ALWAYS AS (amount + 1) VIRTUAL`,
    `${ADD} uuid; ALTER TABLE operation ALTER COLUMN x SET DEFAULT gen_random_uuid()`,
  ])('leaves the rows with %s', async (statement) => {
    expect(await rewrites(statement)).toBe(false);
    expect(await rulesFor(statement)).toEqual([]);
  });

  it('refuses a required column without a value, and CONCURRENTLY beside another statement', async () => {
    await expect(client.query(`${ADD} text NOT NULL`)).rejects.toThrow('contains null values');
    await expect(client.query('SELECT 1; CREATE INDEX CONCURRENTLY i ON operation (kind)')).rejects.toThrow(
      'cannot run inside a transaction block',
    );
  });

  it('reads no row for SET NOT NULL after a validated check, and all rows without', async () => {
    const proofs: string[] = [];
    client.on('notice', ({ message = '' }) => {
      if (message.includes('sufficient to prove')) proofs.push(message);
    });
    await client.query('SET client_min_messages = debug1');
    await client.query(
      'ALTER TABLE operation ADD CONSTRAINT c CHECK (kind IS NOT NULL AND amount > 0) NOT VALID',
    );
    await client.query('BEGIN; ALTER TABLE operation ALTER COLUMN kind SET NOT NULL; ROLLBACK');
    expect(proofs).toEqual([]);
    await client.query('ALTER TABLE operation VALIDATE CONSTRAINT c');
    await client.query('ALTER TABLE operation ALTER COLUMN kind SET NOT NULL');
    expect(proofs).toEqual([expect.stringContaining('"operation.kind"')]);
  });
});
