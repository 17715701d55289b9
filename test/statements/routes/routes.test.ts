import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { preparedTexts } from '../../../src/platform/database/statement.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { readPrepared } from '../prepared.ts';
import { referencesOf } from './routes.ts';
import { BY_SECRET, OF_INSTALLATION, SEVERAL_ACCOUNTS } from './several-accounts.ts';
import { readTables } from './tables.ts';
import { both, type Tables } from './values.ts';

let database: TestDatabase;
let tables: Tables;
beforeAll(async () => {
  database = await createTestDatabase();
  tables = await readTables(database.url);
  await readPrepared();
});
afterAll(() => database.drop());

/** Returns the parameters that route a statement: the account of each of its tables equals them. Null without a table. */
async function routesOf(text: string): Promise<readonly string[] | null> {
  const references = await referencesOf(text, tables);
  return references.length === 0 ? null : [...references.map(({ values }) => values).reduce(both)];
}

describe('a prepared statement', () => {
  it('has one account for all of its tables, or is listed with a reason', async () => {
    const several: string[] = [];
    const routes = new Set<string>();
    for (const { name, text, parameters } of preparedTexts()) {
      const found = await routesOf(text);
      if (found?.length === 0) several.push(name);
      for (const route of found ?? []) routes.add(parameters[Number(route.slice(1)) - 1] ?? route);
    }
    expect(several.toSorted()).toEqual(Object.values(SEVERAL_ACCOUNTS).flat().toSorted());
    expect([...routes].toSorted()).toEqual(['account', 'merchantAccountId']);
  });

  it('is counted by the page about shards', async () => {
    const routes = await Promise.all(preparedTexts().map(({ text }) => routesOf(text)));
    const several = Object.values(SEVERAL_ACCOUNTS);
    const bySecret = SEVERAL_ACCOUNTS[BY_SECRET].length;
    const ofInstallation = SEVERAL_ACCOUNTS[OF_INSTALLATION].length;

    const page = readFileSync('src/docs/operate/shards.md', 'utf8').replaceAll(/\s+/g, ' ');
    const count = (pattern: RegExp): readonly number[] => (pattern.exec(page) ?? []).slice(1).map(Number);
    expect(count(/(\d+) prepared statements, and (\d+) have one account/)).toEqual([
      routes.length,
      routes.filter((found) => found?.length).length,
    ]);
    expect(count(/(\d+) statements name no table/)).toEqual([
      routes.filter((found) => found === null).length,
    ]);
    expect(
      count(
        /The remaining (\d+) reach .* \| (\d+) \| loops.* \| (\d+) \| links.* \| (\d+) \| the installation/,
      ),
    ).toEqual([
      several.flat().length,
      several.flat().length - bySecret - ofInstallation,
      bySecret,
      ofInstallation,
    ]);
  });

  it('routes by an account whenever it writes money', async () => {
    const listed: readonly string[] = Object.values(SEVERAL_ACCOUNTS).flat();
    const writers = preparedTexts().filter(({ text }) =>
      /(INSERT INTO|UPDATE) (transaction|ledger_entry|idempotency_key)\b/.test(text),
    );
    expect(writers.length).toBeGreaterThan(60);
    expect(writers.map(({ name }) => name).filter((name) => listed.includes(name))).toEqual([]);
  });

  // A walk that finds no table would prove nothing.
  it('loses its account when any of its comparisons names another', async () => {
    const unseen: string[] = [];
    let changed = 0;
    for (const { name, text } of preparedTexts()) {
      const [route] = (await routesOf(text)) ?? [];
      if (route === undefined) continue;
      for (const { 0: condition, index } of text.matchAll(/\bmerchant_account_id = \$\d+\b/g)) {
        const other = condition.replace(/\$\d+/, '$9999');
        const found = await routesOf(
          `${text.slice(0, index)}${other}${text.slice(index + condition.length)}`,
        );
        if (found?.includes(route)) unseen.push(`${name}: ${text.slice(index - 20, index + 60)}`);
        changed += 1;
      }
    }
    expect(unseen).toEqual([]);
    expect(changed).toBeGreaterThan(300);
  });
});

const account = 'o.merchant_account_id = $1';

describe('the walk', () => {
  it.each([
    ['a table without a condition', 'SELECT 1 FROM operation o WHERE o.id = $1'],
    [
      'two parameters',
      `SELECT 1 FROM operation o, approval a WHERE ${account} AND a.merchant_account_id = $2`,
    ],
    ['a list of accounts', 'SELECT 1 FROM operation WHERE merchant_account_id = ANY ($1::text[])'],
    ['a list of two accounts', 'SELECT 1 FROM operation WHERE merchant_account_id IN ($1, $2)'],
    ['an inequality', 'SELECT 1 FROM operation WHERE merchant_account_id >= $1'],
    ['a branch of OR', `SELECT 1 FROM operation o WHERE ${account} OR o.id = $2`],
    [
      'branches of OR with different accounts',
      `SELECT 1 FROM operation o WHERE ${account} OR o.merchant_account_id = $2`,
    ],
    ['a negated condition', `SELECT 1 FROM operation o WHERE NOT (${account})`],
    [
      'a join by id',
      `SELECT 1 FROM operation o JOIN transaction t ON t.id = o.transaction_id WHERE ${account}`,
    ],
    [
      'a join by position',
      'SELECT 1 FROM feed_entry f JOIN event e USING (position) WHERE f.merchant_account_id = $1',
    ],
    [
      'the outer side of an outer join',
      'SELECT 1 FROM transaction t LEFT JOIN operation o ON t.merchant_account_id = $1 AND o.merchant_account_id = $1',
    ],
    [
      'rows of given accounts',
      `SELECT 1 FROM unnest($1::text[]) AS g (account) JOIN operation o ON o.merchant_account_id = g.account`,
    ],
    [
      'a condition outside of the query that reads the table',
      `WITH all_of AS (SELECT * FROM operation) SELECT 1 FROM all_of o WHERE ${account}`,
    ],
    ['a side of UNION', `SELECT 1 FROM operation o WHERE ${account} UNION SELECT 1 FROM operation p`],
    [
      'a UNION of two accounts',
      `WITH one AS (SELECT $1 AS account UNION ALL SELECT $2)
       SELECT 1 FROM one JOIN operation o ON o.merchant_account_id = one.account`,
    ],
    [
      'a recursion that leaves the account',
      `WITH RECURSIVE step AS (SELECT $1::text AS account UNION ALL SELECT $2 FROM step)
       SELECT 1 FROM step JOIN operation o ON o.merchant_account_id = step.account`,
    ],
    ['a subselect', `SELECT (SELECT count(*) FROM approval) FROM operation o WHERE ${account}`],
    ['a table of the installation', `SELECT 1 FROM operation o, log_cursor WHERE ${account}`],
    ['INSERT without an account', 'INSERT INTO event (id) VALUES ($1)'],
    ['INSERT of two accounts', 'INSERT INTO event (id, merchant_account_id) VALUES ($2, $1), ($3, $4)'],
    [
      'INSERT beside its account',
      'INSERT INTO event (merchant_account_id, id) SELECT $2, o.id FROM operation o WHERE o.merchant_account_id = $1',
    ],
    [
      'ON CONFLICT by id',
      'INSERT INTO event AS e (merchant_account_id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET name = $2',
    ],
    ['UPDATE of the account', `UPDATE operation o SET merchant_account_id = $2 WHERE ${account}`],
    [
      'a value that UPDATE replaces',
      `WITH moved AS (UPDATE operation o SET reason = $2 WHERE ${account} AND o.reason = $1 RETURNING o.reason)
       SELECT 1 FROM moved JOIN approval a ON a.merchant_account_id = moved.reason`,
    ],
    [
      'ON CONFLICT with another value',
      `WITH made AS (
         INSERT INTO event AS e (merchant_account_id, id, name) VALUES ($1, $2, $1)
         ON CONFLICT (merchant_account_id, id) DO UPDATE SET created_at = now() RETURNING e.name)
       SELECT 1 FROM made JOIN approval a ON a.merchant_account_id = made.name`,
    ],
    [
      'the argument of a function',
      `SELECT 1 FROM operation o, unnest(ARRAY(SELECT id FROM approval)) AS g WHERE ${account}`,
    ],
    [
      'a column that a function may have',
      `SELECT (SELECT count(*) FROM json_to_record($2) AS g CROSS JOIN LATERAL (
         SELECT FROM approval a WHERE a.merchant_account_id = reason) x) FROM operation o WHERE ${account} AND o.reason = $1`,
    ],
    [
      'columns of one name behind a star',
      `WITH both_of AS (SELECT * FROM (SELECT $2 AS account) x, (SELECT $1 AS account) y)
       SELECT 1 FROM both_of JOIN operation o ON o.merchant_account_id = both_of.account`,
    ],
    [
      'UPDATE by id',
      `UPDATE approval a SET state = $2 FROM operation o WHERE ${account} AND a.operation_id = o.id`,
    ],
    ['DELETE by id', `DELETE FROM approval a USING operation o WHERE ${account} AND a.operation_id = o.id`],
  ])('finds several accounts in %s', async (_, text) => {
    expect(await routesOf(text)).toEqual([]);
  });

  it.each([
    'SELECT 1 FROM merchant_account WHERE id = $1',
    'SELECT 1 FROM operation o WHERE ($1, $2) = (o.merchant_account_id, o.id)',
    `SELECT 1 FROM operation o WHERE (${account} AND o.id = $2) OR (${account} AND o.provider_key = $3)`,
    `SELECT 1 FROM operation o JOIN transaction t USING (merchant_account_id) WHERE ${account}`,
    `SELECT 1 FROM operation o LEFT JOIN approval a ON a.merchant_account_id = o.merchant_account_id WHERE ${account}`,
    'SELECT 1 FROM operation WHERE merchant_account_id = ANY (ARRAY[$1::text])',
    'SELECT 1 FROM operation WHERE merchant_account_id IN (SELECT id FROM merchant_account WHERE id = $1)',
    'SELECT 1 FROM (VALUES ($1, $2), ($1, $3)) AS g (account, id) JOIN operation o ON o.merchant_account_id = g.account',
    `WITH given (account) AS (SELECT $1::text) SELECT 1 FROM given JOIN operation o ON o.merchant_account_id = given.account`,
    `WITH RECURSIVE step AS (
       SELECT $1::text AS account, 1 AS nth UNION ALL SELECT step.account, nth + 1 FROM step WHERE nth < 3)
     SELECT 1 FROM step JOIN operation o ON o.merchant_account_id = step.account`,
    `SELECT (SELECT count(*) FROM approval a WHERE a.merchant_account_id = o.merchant_account_id) FROM operation o WHERE ${account}`,
    `SELECT 1 FROM operation o CROSS JOIN LATERAL (
       SELECT FROM approval WHERE merchant_account_id = o.merchant_account_id LIMIT 1) a WHERE ${account}`,
    `WITH made AS (INSERT INTO event (id, merchant_account_id) VALUES ($2, $1) RETURNING *)
     UPDATE operation o SET amount = 1 FROM made WHERE made.merchant_account_id = o.merchant_account_id`,
    `WITH gone AS (DELETE FROM approval a WHERE a.merchant_account_id = $1 RETURNING a.merchant_account_id AS account)
     INSERT INTO event (merchant_account_id, id) SELECT account, $2 FROM gone
     ON CONFLICT (merchant_account_id, id) DO UPDATE SET name = $3`,
  ])('finds one account in %s', async (text) => {
    expect(await routesOf(text)).toEqual(['$1']);
  });

  it('finds no table in a statement of the server', async () => {
    expect(await routesOf('SELECT pg_advisory_xact_lock($1)')).toBeNull();
  });
});
