import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, query, type TestDatabase } from '../../support/database.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { RULES, type Rule } from './rules.sql.ts';

const find = async (url: string, rule: Rule): Promise<readonly string[]> =>
  (await query<{ found: string }>(url, RULES[rule])).map(({ found }) => found).toSorted();

const rules = Object.keys(RULES) as Rule[];

describe('the tables', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(rules)(
    'keep the rule "%s" of tables that Citus distributes, or are listed with a reason',
    async (rule) => {
      expect(await find(database.url, rule)).toEqual(Object.values(EXCEPTIONS[rule]).flat().toSorted());
    },
  );

  it('have as many exceptions as the page about shards says', () => {
    const page = readFileSync('src/docs/operate/shards.md', 'utf8').replaceAll(/\s+/g, ' ');
    const count = (pattern: RegExp): readonly number[] => (pattern.exec(page) ?? []).slice(1).map(Number);
    const numbers = (rule: Rule): readonly number[] =>
      Object.values(EXCEPTIONS[rule]).map((all) => all.length);
    const sum = (rule: Rule): number => Object.values(EXCEPTIONS[rule]).flat().length;
    expect(count(/(\d+) unique keys: (\d+) of secrets, (\d+) of positions, (\d+) of UUIDs/)).toEqual([
      sum('key'),
      ...numbers('key'),
    ]);
    expect(count(/(\d+) foreign keys, as Prisma/)).toEqual([sum('action')]);
    expect(count(/(\d+) trigger functions/)).toEqual([sum('trigger')]);
    expect(count(/copy \| (\d+) tables/)).toEqual([sum('installation')]);
  });
});

const owned = 'merchant_account_id text NOT NULL';
const own = `CREATE TABLE own (${owned}, id int, PRIMARY KEY (merchant_account_id, id), UNIQUE (id, merchant_account_id))`;

/** Statements that break a rule, and the name that the rule then finds. */
const BROKEN: readonly (readonly [rule: Rule, text: string, found: string])[] = [
  ['key', `CREATE TABLE one (${owned}, id uuid CONSTRAINT broken PRIMARY KEY)`, 'broken'],
  [
    'key',
    `CREATE TABLE one (${owned}, id uuid); CREATE UNIQUE INDEX broken ON one (id) INCLUDE (merchant_account_id)`,
    'broken',
  ],
  [
    'key',
    `CREATE TABLE one (${owned}, id uuid); CREATE UNIQUE INDEX broken ON one (id) WHERE id IS NOT NULL`,
    'broken',
  ],
  [
    'key',
    `CREATE TABLE one (${owned}, id int4range, CONSTRAINT broken EXCLUDE USING gist (id WITH &&))`,
    'broken',
  ],
  [
    'foreignKey',
    `CREATE TABLE two (${owned}, id int UNIQUE); CREATE TABLE one (${owned}, id int CONSTRAINT broken REFERENCES two (id))`,
    'broken',
  ],
  [
    'foreignKey',
    `${own}; CREATE TABLE one (${owned}, two text, id int,
         CONSTRAINT broken FOREIGN KEY (two, id) REFERENCES own (merchant_account_id, id))`,
    'broken',
  ],
  [
    'foreignKeyOfInstallation',
    `${own}; CREATE TABLE one (account text, id int,
         CONSTRAINT broken FOREIGN KEY (account, id) REFERENCES own (merchant_account_id, id))`,
    'broken',
  ],
  [
    'action',
    `${own}; CREATE TABLE one (${owned}, id int, CONSTRAINT broken
         FOREIGN KEY (merchant_account_id, id) REFERENCES own (merchant_account_id, id) ON DELETE SET NULL)`,
    'broken',
  ],
  [
    'trigger',
    `CREATE TABLE one (${owned}); CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
       CREATE TRIGGER one BEFORE INSERT ON one FOR EACH ROW EXECUTE FUNCTION broken()`,
    'broken',
  ],
  ['sequence', `CREATE TABLE one (${owned}, id serial)`, 'one.id'],
  ['sequence', `CREATE TABLE one (${owned}, id int GENERATED ALWAYS AS IDENTITY)`, 'one.id'],
  [
    'partition',
    `CREATE TABLE one (${owned}, id int) PARTITION BY RANGE (id);
       CREATE TABLE broken PARTITION OF one FOR VALUES FROM (0) TO (9) PARTITION BY RANGE (id)`,
    'broken',
  ],
  [
    'rule',
    `CREATE TABLE one (${owned}); CREATE RULE broken AS ON INSERT TO one DO INSTEAD NOTHING`,
    'broken',
  ],
  ['column', 'CREATE TABLE broken (merchant_account_id uuid NOT NULL)', 'broken'],
  ['column', 'CREATE TABLE broken (merchant_account_id text)', 'broken'],
  ['installation', 'CREATE TABLE broken (id int)', 'broken'],
];

describe('a table that Citus would not distribute', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each(BROKEN)('breaks the rule "%s": %s', async (rule, text, found) => {
    const listed = Object.values(EXCEPTIONS[rule]).flat();
    await client.query(`BEGIN; ${text}`);
    const { rows } = await client.query<{ found: string }>(RULES[rule]);
    await client.query('ROLLBACK');
    expect(rows.map((row) => row.found).filter((each) => !listed.includes(each))).toEqual([found]);
  });

  it('is tried for every rule', () => {
    expect(new Set(BROKEN.map(([rule]) => rule))).toEqual(new Set(rules));
  });
});
