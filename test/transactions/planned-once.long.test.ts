import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeManyRows } from './many-rows.ts';
import { READS } from './planned-reads.ts';

// Postgres makes five plans for the values of a named statement. Then it keeps one plan for all values, unless a plan for the
// values looks cheaper. The other tests force the one plan, so they cannot tell.

const PROGRAM = fileURLToPath(new URL('count-plans.ts', import.meta.url));

let database: TestDatabase;
let counted: Readonly<Record<string, readonly { readonly own: number }[]>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeManyRows(database.url);
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, database.url]);
  counted = JSON.parse(stdout) as typeof counted;
}, 180_000);
afterAll(() => database.drop());

it.each(Object.keys(READS))('plans once for all values: %s', (what) => {
  const used = counted[what] ?? [];
  expect(used).not.toEqual([]);
  expect(used.filter(({ own }) => own > 5)).toEqual([]);
});
