import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SEALED_COLUMNS } from '../../src/platform/vault/sealed-columns.ts';
import { createTestDatabase, onServer, query, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const REGISTERED = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();

/** Lists the columns whose name marks sealed values. */
async function sealedColumns(): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(
    database.url,
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%sealed%'`,
  );
  return rows.map(({ name }) => name).sort();
}

describe('the list of sealed columns', () => {
  test('equals the database', async () => {
    expect(await sealedColumns()).toEqual(REGISTERED);
  });

  test('lacks a new column', async () => {
    await onServer(database.url, 'ALTER TABLE buyer ADD COLUMN sealed_canary text');

    expect(await sealedColumns()).not.toEqual(REGISTERED);

    await onServer(database.url, 'ALTER TABLE buyer DROP COLUMN sealed_canary');
  });

  test('names tables whose rows rotation can find by its keys', async () => {
    const keys = await query<{ name: string; columns: string }>(
      database.url,
      `SELECT conrelid::regclass::text AS name, string_agg(attname || ' ' || format_type(atttypid, NULL), ', ' ORDER BY attname) AS columns
       FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
       WHERE contype = 'p' GROUP BY conrelid`,
    );
    const keyOf = new Map(keys.map(({ name, columns }) => [name, columns]));

    for (const { table } of SEALED_COLUMNS)
      expect([table, keyOf.get(table)]).toEqual([table, 'id uuid, merchant_account_id text']);
  });

  // The list's entries are the type of a sealing purpose. Code that bypasses the type would bypass the list.
  test('is not bypassed by code that seals', () => {
    const sealing = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
      .map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }))
      .filter(({ text }) => /\bvault\.(seal|open)\(|SealContext/.test(text));

    expect(sealing.length).toBeGreaterThan(4);
    expect(sealing.filter(({ text }) => AROUND.test(text)).map(({ path }) => path)).toEqual([]);
    expect(AROUND.test('vault.seal(place as unknown as SealContext, text)')).toBe(true);
  });
});

const AROUND = /as (unknown as )?SealContext|as never|as any|@ts-/;
