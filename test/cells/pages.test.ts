import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../src/platform/moves/moves.sql.ts';
import { pagesOf } from '../../src/platform/moves/rows.sql.ts';
import { connectOnce } from '../../src/platform/postgres/connect.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

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

/** Reads rows of the given sizes, numbered from 1, in the pages of an export. */
const read = (rows: number, bytes: string): Promise<readonly string[]> =>
  inTransaction(client, async () => {
    const text = `SELECT json_build_object('n', n, 'account', $1::text, 'text', repeat('x', ${bytes}))::text AS row
      FROM generate_series(1, ${rows}) n ORDER BY n`;
    const pages: string[] = [];
    for await (const page of pagesOf(client, text, 'shop')) pages.push(page);
    return pages;
  });

const numbersOf = (pages: readonly string[]): readonly number[] =>
  pages.flatMap((page) => (JSON.parse(page) as { n: number }[]).map(({ n }) => n));

const upTo = (rows: number): readonly number[] => Array.from({ length: rows }, (_, index) => index + 1);

const longest = (pages: readonly string[]): number => Math.max(...pages.map(({ length }) => length));

it('small rows are read in pages of hundreds', async () => {
  const pages = await read(5_000, '10');

  expect(numbersOf(pages)).toEqual(upTo(5_000));
  expect(pages.length).toBeLessThan(25);
});

it('rows of two megabytes are read two at a time', async () => {
  const pages = await read(40, '1900000');

  expect(numbersOf(pages)).toEqual(upTo(40));
  expect(longest(pages)).toBeLessThan(4_100_000);
});

it('large rows behind small ones are not put into one page', async () => {
  const pages = await read(1_600, 'CASE WHEN n > 1500 THEN 500000 ELSE 1 END');

  expect(numbersOf(pages)).toEqual(upTo(1_600));
  expect(longest(pages)).toBeLessThan(4_100_000);
});

it('a row above the size of a page is a page of its own', async () => {
  const pages = await read(3, '5000000');

  expect(pages.map((page) => numbersOf([page]))).toEqual([[1], [2], [3]]);
});
