import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { findingsOf } from './accounts.ts';
import { ACROSS_ACCOUNTS } from './across-accounts.ts';
import { readPrepared } from './prepared.ts';
import type { Tables } from './restrictions.ts';

const OWNED = `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attname = 'merchant_account_id'`;

let database: TestDatabase;
let tables: Tables;
beforeAll(async () => {
  database = await createTestDatabase();
  const owned = await query<{ name: string }>(database.url, OWNED);
  expect(owned.length).toBeGreaterThan(50);
  tables = new Map([
    ['merchant_account', 'id'],
    ...owned.map(({ name }) => [name, 'merchant_account_id'] as const),
  ]);
});
afterAll(() => database.drop());

/** Returns the references without a restriction, each with the number of its levels if there are several. */
async function acrossAccounts(text: string, excepted: readonly string[] = []): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  const free = excepted.map((reference) => reference.replace(/ \(\d+\)$/, ''));
  for (const reference of await findingsOf(text, tables, free))
    counts.set(reference, (counts.get(reference) ?? 0) + 1);
  return [...counts]
    .map(([reference, count]) => (count === 1 ? reference : `${reference} (${count})`))
    .toSorted();
}

describe('a prepared statement', () => {
  it('restricts each table to a merchant account, or is listed as one of all accounts', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const [name, text] of await readPrepared()) {
      const references = await acrossAccounts(text, ACROSS_ACCOUNTS[name]);
      if (references.length > 0) found[name] = references;
    }
    const listed = Object.entries(ACROSS_ACCOUNTS).map(([name, all]) => [name, all.toSorted()] as const);
    expect(found).toEqual(Object.fromEntries(listed));
  });

  // A walk that finds no table would prove nothing.
  it('is refused when it loses any of its comparisons of an account with a parameter', async () => {
    const unseen: string[] = [];
    let lost = 0;
    for (const [name, text] of await readPrepared()) {
      const listed = ACROSS_ACCOUNTS[name] ?? [];
      for (const { 0: condition, index } of text.matchAll(
        /(\w+\.)?\bmerchant_account_id = \$\d+(::text)?\s+AND /g,
      )) {
        const without = `${text.slice(0, index)}${text.slice(index + condition.length)}`;
        const found = await acrossAccounts(without, listed);
        if (found.join() === listed.toSorted().join())
          unseen.push(`${name}: ${text.slice(index, index + 80)}`);
        lost += 1;
      }
    }
    expect(unseen).toEqual([]);
    expect(lost).toBeGreaterThan(300);
  });
});

const account = 'o.merchant_account_id = $1';

describe('the walk', () => {
  it.each([
    ['a table without a condition', 'SELECT 1 FROM operation o WHERE o.id = $1', ['operation o']],
    [
      'a condition in a branch of OR',
      `SELECT 1 FROM operation o WHERE ${account} OR o.id = $2`,
      ['operation o'],
    ],
    ['a negated condition', `SELECT 1 FROM operation o WHERE NOT (${account})`, ['operation o']],
    ['a comparison that is no equality', 'SELECT 1 FROM event WHERE merchant_account_id > $1', ['event']],
    [
      'a comparison with itself',
      'SELECT 1 FROM event e WHERE e.merchant_account_id = merchant_account_id',
      ['event e'],
    ],
    [
      'two tables that compare with each other alone',
      'SELECT 1 FROM operation o JOIN transaction t ON t.merchant_account_id = o.merchant_account_id WHERE t.id = $1',
      ['operation o', 'transaction t'],
    ],
    [
      'a JOIN by id',
      `SELECT 1 FROM operation o JOIN transaction t ON t.id = o.transaction_id WHERE ${account}`,
      ['transaction t'],
    ],
    [
      'the outer side of an outer join',
      'SELECT 1 FROM transaction t LEFT JOIN operation o ON t.merchant_account_id = $1 AND o.merchant_account_id = $1',
      ['transaction t'],
    ],
    [
      'a subselect',
      `SELECT 1 FROM operation o WHERE ${account} AND EXISTS (SELECT FROM approval a WHERE a.operation_id = o.id)`,
      ['approval a'],
    ],
    [
      'a common table expression',
      `WITH made AS (UPDATE transaction t SET amount = 1 WHERE t.id = $2 RETURNING *)
       SELECT 1 FROM made JOIN operation o ON o.transaction_id = made.id WHERE ${account}`,
      ['transaction t'],
    ],
    [
      'a table under its own name as a common table expression',
      'WITH event AS (SELECT * FROM event) SELECT 1 FROM event WHERE merchant_account_id = $1',
      ['event'],
    ],
    [
      'a side of UNION',
      `SELECT 1 FROM operation o WHERE ${account} UNION SELECT 1 FROM operation p`,
      ['operation p'],
    ],
    [
      'DELETE USING',
      `DELETE FROM approval a USING operation o WHERE ${account} AND a.operation_id = o.id`,
      ['approval a'],
    ],
    [
      'a position',
      'SELECT 1 FROM feed_entry f JOIN event e USING (position) WHERE f.merchant_account_id = $1',
      ['event e'],
    ],
    [
      'an account without its id',
      'SELECT 1 FROM merchant_account m WHERE m.display_name = $1',
      ['merchant_account m'],
    ],
    ['INSERT without an account', 'INSERT INTO event (id) VALUES ($1)', ['INSERT event']],
    ['INSERT of a constant', `INSERT INTO event (merchant_account_id) SELECT 'one'`, ['INSERT event']],
    [
      'ON CONFLICT by id',
      'INSERT INTO event AS e (merchant_account_id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET name = $2',
      ['INSERT event'],
    ],
  ])('refuses %s', async (_, text, references) => {
    expect(await acrossAccounts(text)).toEqual(references);
  });

  it.each([
    'SELECT 1 FROM event WHERE merchant_account_id = ANY ((SELECT $1::text[])::text[])',
    'SELECT 1 FROM event e WHERE (e.merchant_account_id, e.id) = ($1, $2::uuid)',
    'SELECT 1 FROM event e WHERE (e.merchant_account_id, e.id) IN (SELECT account, id FROM unnest($1, $2) AS g (account, id))',
    'SELECT 1 FROM operation o JOIN transaction t USING (merchant_account_id) WHERE t.merchant_account_id = $1',
    `SELECT 1 FROM operation o WHERE (${account} AND o.id = $2) OR (${account} AND o.provider_key = $3)`,
    `SELECT 1 FROM operation o LEFT JOIN approval a ON a.merchant_account_id = o.merchant_account_id WHERE ${account}`,
    'SELECT 1 FROM merchant_account WHERE id = $1',
  ])('accepts %s', async (text) => {
    expect(await acrossAccounts(text)).toEqual([]);
  });

  it('keeps an exception only while the statement needs it', async () => {
    const text =
      'SELECT 1 FROM approval a JOIN operation o ON o.merchant_account_id = a.merchant_account_id WHERE a.token = $1';
    expect(await acrossAccounts(text)).toEqual(['approval a', 'operation o']);
    expect(await acrossAccounts(text, ['approval a'])).toEqual(['approval a']);
    expect(await acrossAccounts(`${text} AND ${account}`, ['approval a'])).toEqual([]);
  });

  it('refuses a text that Postgres cannot parse', async () => {
    await expect(acrossAccounts('SELECT 1 FROM')).rejects.toThrow('syntax error');
  });
});
