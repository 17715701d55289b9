import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findingsOf, tell, type Finding } from './check.ts';
import { faultsAfter, migrationFaults } from './faults.ts';
import { BASELINE, FORMER } from './former.ts';
import { RULES, type RuleName } from './rules.ts';
import { PARTITIONED, SMALL } from './tables.ts';

const GIVEN = {
  version: '0.3.0',
  unread: {
    'operation.old': '0.2.0',
    'operation.late': '0.3.0',
    leftover: '0.2.0',
    'mark()': '0.2.0',
    leftover_key: '0.2.0',
  },
};

const find = (...scripts: readonly string[]): Promise<readonly Finding[]> =>
  findingsOf(
    scripts.map((script, nth) => ({ name: `2027010${nth}000000_m`, script })),
    GIVEN,
  );

const rulesFor = async (...scripts: readonly string[]): Promise<readonly RuleName[]> =>
  (await find(...scripts)).map(({ rule }) => rule);

/** Statements that break exactly one rule. Several scripts are several migrations. */
const BAD: readonly (readonly [RuleName, ...string[]])[] = [
  ['index', 'CREATE INDEX i ON operation (kind);'],
  ['index', 'CREATE UNIQUE INDEX i ON table_of_tomorrow (kind);'],
  ['index', 'CREATE INDEX i ON event (name);'],
  ['alone', 'CREATE INDEX CONCURRENTLY i ON operation (kind); SELECT 1;'],
  ['alone', 'SELECT 1; DROP INDEX CONCURRENTLY i;'],
  ['alone', 'REINDEX (CONCURRENTLY) TABLE operation; SELECT 1;'],
  ['alone', 'SELECT 1; ALTER TABLE event DETACH PARTITION event_from_0 CONCURRENTLY;'],
  ['default', 'ALTER TABLE operation ADD COLUMN x uuid DEFAULT gen_random_uuid();'],
  ['default', `ALTER TABLE operation ADD COLUMN x bigint NOT NULL DEFAULT nextval('s');`],
  ['default', 'ALTER TABLE operation ADD COLUMN x timestamptz DEFAULT coalesce(clock_timestamp(), now());'],
  ['default', 'ALTER TABLE operation ADD COLUMN x bigserial;'],
  ['default', 'ALTER TABLE operation ADD COLUMN x int GENERATED ALWAYS AS IDENTITY;'],
  ['default', 'ALTER TABLE operation ADD COLUMN x int GENERATED ALWAYS AS (amount + 1) STORED;'],
  ['required', 'ALTER TABLE operation ADD COLUMN x text NOT NULL;'],
  ['required', 'ALTER TABLE outlet ADD COLUMN x text NOT NULL;'],
  ['required', 'ALTER TABLE outlet ADD COLUMN x text CHECK (x IS NOT NULL);'],
  [
    'required',
    "ALTER TABLE outlet ADD COLUMN x text; UPDATE outlet SET x = ''; ALTER TABLE outlet ALTER x SET NOT NULL;",
  ],
  ['required', 'ALTER TABLE operation ADD COLUMN x text, ALTER x SET NOT NULL;'],
  [
    'required',
    'ALTER TABLE operation ADD COLUMN x text, ADD CONSTRAINT c CHECK (x IS NOT NULL AND id > 0) NOT VALID;',
  ],
  ['required', 'ALTER TABLE outlet ADD COLUMN x text; ALTER TABLE outlet ADD CHECK (x IS NOT NULL);'],
  [
    'required',
    "ALTER TABLE outlet ADD COLUMN x text NOT NULL DEFAULT ''; ALTER TABLE outlet ALTER x DROP DEFAULT;",
  ],
  ['required', 'ALTER TABLE outlet ALTER kind SET NOT NULL;', 'ALTER TABLE outlet ALTER kind DROP DEFAULT;'],
  ['column-constraint', 'ALTER TABLE operation ADD COLUMN x int CHECK (x > 0);'],
  ['column-constraint', 'ALTER TABLE operation ADD COLUMN x text UNIQUE;'],
  ['column-constraint', 'ALTER TABLE operation ADD COLUMN x uuid REFERENCES buyer (id);'],
  ['type', 'ALTER TABLE operation ALTER COLUMN amount TYPE bigint;'],
  ['type', 'ALTER TABLE merchant_account ALTER COLUMN name TYPE bytea;'],
  ['constraint', 'ALTER TABLE operation ADD CONSTRAINT c CHECK (amount > 0);'],
  ['constraint', 'ALTER TABLE operation ADD CONSTRAINT c FOREIGN KEY (buyer_id) REFERENCES buyer (id);'],
  ['constraint', 'ALTER TABLE operation ADD CONSTRAINT c NOT NULL amount;'],
  ['key', 'ALTER TABLE operation ADD CONSTRAINT c UNIQUE (kind);'],
  ['key', 'ALTER TABLE operation ADD PRIMARY KEY (id);'],
  ['key', 'ALTER TABLE operation ADD CONSTRAINT c EXCLUDE (kind WITH =);'],
  [
    'validate',
    'ALTER TABLE operation ADD CONSTRAINT c CHECK (amount > 0) NOT VALID; ALTER TABLE operation VALIDATE CONSTRAINT c;',
  ],
  ['validate', 'ALTER TABLE operation ADD CONSTRAINT c CHECK (amount > 0) NOT VALID, VALIDATE CONSTRAINT c;'],
  [
    'validate',
    'CREATE TRIGGER t AFTER INSERT ON buyer FOR EACH ROW EXECUTE FUNCTION f(); ALTER TABLE operation VALIDATE CONSTRAINT c;',
  ],
  ['validate', 'ALTER TABLE buyer ADD COLUMN x text; ALTER TABLE operation VALIDATE CONSTRAINT c;'],
  ['not-null', 'ALTER TABLE operation ALTER COLUMN kind SET NOT NULL;'],
  [
    'not-null',
    'ALTER TABLE operation ADD CONSTRAINT c CHECK (kind IS NOT NULL) NOT VALID;',
    'ALTER TABLE operation ALTER COLUMN kind SET NOT NULL;',
  ],
  [
    'not-null',
    'ALTER TABLE buyer ADD CONSTRAINT c CHECK (kind IS NOT NULL OR x IS NOT NULL) NOT VALID;',
    'ALTER TABLE buyer VALIDATE CONSTRAINT c;',
    'ALTER TABLE buyer ALTER COLUMN kind SET NOT NULL;',
  ],
  ['rename', 'ALTER TABLE operation RENAME TO act;'],
  ['rename', 'ALTER TABLE merchant_account RENAME COLUMN name TO title;'],
  ['rename', 'ALTER TABLE operation SET SCHEMA other;'],
  ['rename', 'ALTER FUNCTION payments_to_compare(uuid) RENAME TO compare;'],
  ['rename', "ALTER TYPE kind RENAME VALUE 'a' TO 'b';"],
  ['drop', 'CREATE FUNCTION due(a int, b int) RETURNS int LANGUAGE sql AS $$ $$; DROP FUNCTION due(int);'],
  ['drop', 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ $$; DROP FUNCTION f(); DROP FUNCTION f;'],
  ['drop', 'CREATE TABLE IF NOT EXISTS buyer (); DROP TABLE buyer;'],
  ['drop', 'CREATE TABLE new_one (); ALTER TABLE new_one RENAME TO other; DROP TABLE new_one;'],
  ['drop', 'DROP INDEX CONCURRENTLY operation_kind_key;'],
  ['drop', 'ALTER TABLE outlet DROP CONSTRAINT outlet_pkey;'],
  ['drop', 'CREATE UNIQUE INDEX i ON outlet (kind);', 'DROP INDEX i;'],
  ['drop', 'CREATE UNIQUE INDEX i ON outlet (kind);', 'ALTER INDEX i RENAME TO j; DROP INDEX j;'],
  ['drop', 'CREATE TABLE n (x int, CONSTRAINT c UNIQUE (x));', 'ALTER TABLE n DROP CONSTRAINT c;'],
  ['drop', 'DROP TABLE data_key;'],
  ['drop', 'DROP TABLE leftover, buyer;'],
  ['drop', 'DROP TABLE IF EXISTS public.outlet CASCADE;'],
  ['drop', 'DROP FUNCTION payments_to_compare(uuid);'],
  ['drop', 'DROP FUNCTION mark(), public.unmark(int);'],
  ['drop', 'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ $$; DROP FUNCTION f, g;'],
  ['drop', 'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ $$; DROP FUNCTION f;'],
  ['drop', 'DROP PROCEDURE f();'],
  ['drop', 'DROP ROUTINE f;'],
  ['drop', 'DROP AGGREGATE f(int);'],
  ['drop', 'DROP MATERIALIZED VIEW sums;'],
  ['drop', 'DROP TYPE public.kind;'],
  ['drop', 'DROP SCHEMA public;'],
  ['drop', 'ALTER TABLE merchant_account DROP COLUMN name;'],
  ['drop', 'ALTER TABLE operation DROP COLUMN late;'],
  ['rows', 'UPDATE operation SET kind = NULL;'],
  ['rows', 'DELETE FROM delivery WHERE state IS NULL;'],
  ['rows', 'WITH gone AS (DELETE FROM delivery RETURNING id) INSERT INTO feed_head SELECT FROM gone;'],
  ['rows', 'MERGE INTO buyer USING operation o ON true WHEN MATCHED THEN DELETE;'],
  ['rewrite', 'TRUNCATE report_bucket;'],
  ['rewrite', 'VACUUM FULL operation;'],
  ['rewrite', 'CLUSTER operation;'],
  ['rewrite', 'REINDEX TABLE operation;'],
  ['rewrite', 'ALTER TABLE operation SET UNLOGGED;'],
  ['lock', 'LOCK TABLE data_key, operation IN SHARE MODE;'],
  ['timeout', `SET lock_timeout = '1h';`],
  ['timeout', 'RESET lock_timeout;'],
  ['timeout', 'RESET ALL;'],
  ['timeout', `SELECT set_config('lock_timeout', '0', true);`],
  ['timeout', 'COMMIT;'],
  ['hidden', 'DO $$ BEGIN LOCK TABLE operation; END $$;'],
];

/** Statements that break no rule. */
const GOOD: readonly (readonly string[])[] = [
  ['CREATE INDEX CONCURRENTLY i ON operation (kind);'],
  ['DROP INDEX CONCURRENTLY i;'],
  ['REINDEX INDEX CONCURRENTLY i;'],
  ['CREATE INDEX i ON ONLY event (name);'],
  ['CREATE INDEX i ON payment_service (name); DROP INDEX i;'],
  [
    'CREATE TABLE new_one (id uuid NOT NULL); CREATE INDEX i ON new_one (id); INSERT INTO new_one SELECT id FROM buyer;',
  ],
  [
    'CREATE TABLE new_one (); ALTER TABLE new_one ADD COLUMN x text NOT NULL, ADD CHECK (x > 1); DROP TABLE new_one;',
  ],
  ['CREATE TABLE new_one (x text); UPDATE new_one SET x = 1; ALTER TABLE new_one RENAME COLUMN x TO y;'],
  ['ALTER TABLE operation ADD COLUMN x text;'],
  ['ALTER TABLE operation ADD COLUMN x timestamptz NOT NULL DEFAULT now();'],
  ['ALTER TABLE operation ADD COLUMN x timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP;'],
  [`ALTER TABLE operation ADD COLUMN x text[] NOT NULL DEFAULT '{}'::text[];`],
  ['ALTER TABLE operation ADD COLUMN x int GENERATED ALWAYS AS (amount + 1) VIRTUAL;'],
  [
    'ALTER TABLE operation ADD COLUMN x uuid; ALTER TABLE operation ALTER COLUMN x SET DEFAULT gen_random_uuid();',
  ],
  [
    'ALTER TABLE operation ADD CONSTRAINT c CHECK (kind IS NOT NULL AND amount IS NOT NULL) NOT VALID;',
    'ALTER TABLE operation VALIDATE CONSTRAINT c;',
    'ALTER TABLE operation ALTER COLUMN kind SET NOT NULL, ALTER COLUMN amount SET NOT NULL;',
  ],
  [
    'ALTER TABLE operation ADD CONSTRAINT c NOT NULL kind NOT VALID;',
    'ALTER TABLE operation VALIDATE CONSTRAINT c;',
  ],
  [
    'CREATE UNIQUE INDEX CONCURRENTLY i ON operation (kind);',
    'ALTER TABLE operation ADD UNIQUE USING INDEX i;',
  ],
  ['ALTER TABLE merchant_account ADD CONSTRAINT c CHECK (name IS NOT NULL), ALTER COLUMN name SET NOT NULL;'],
  ['ALTER TABLE operation DROP COLUMN old; DROP TABLE leftover; DROP FUNCTION public.mark(int);'],
  ['CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ $$; SELECT f(); DROP FUNCTION f();'],
  ['CREATE FUNCTION f(a int, OUT b text[]) LANGUAGE sql AS $$ $$; DROP FUNCTION f(int);'],
  [
    'CREATE FUNCTION f(a int[]) RETURNS int LANGUAGE sql AS $$ $$; ALTER FUNCTION f RENAME TO g; DROP FUNCTION g(int[]);',
  ],
  [
    'CREATE VIEW v AS SELECT 1; CREATE SEQUENCE s; CREATE SCHEMA n; DROP VIEW v; DROP SEQUENCE s; DROP SCHEMA n;',
  ],
  [
    "CREATE TYPE k AS ENUM ('a'); ALTER TYPE k RENAME VALUE 'a' TO 'b'; ALTER TYPE k RENAME TO l; DROP TYPE l;",
  ],
  ['CREATE TABLE n AS SELECT 1 AS x; ALTER TABLE n RENAME x TO y; DROP TABLE n;'],
  ['CREATE UNIQUE INDEX i ON outlet (kind); DROP INDEX i; DROP INDEX leftover_key;'],
  [
    "ALTER TABLE outlet ADD COLUMN x text; ALTER TABLE outlet ALTER x SET DEFAULT ''; UPDATE outlet SET x = ''; ALTER TABLE outlet ALTER x SET NOT NULL;",
  ],
  ['ALTER TABLE outlet ALTER x DROP DEFAULT;'],
  [`ALTER TABLE merchant_account ADD COLUMN x text NOT NULL DEFAULT '', ADD COLUMN y text UNIQUE;`],
  ['UPDATE merchant_account SET name = NULL; LOCK TABLE feed_head; TRUNCATE outlet;'],
  [`CREATE FUNCTION f() RETURNS void LANGUAGE sql BEGIN ATOMIC DELETE FROM operation; END;`],
  [`SET LOCAL statement_timeout = '1h'; ALTER TABLE operation VALIDATE CONSTRAINT c, VALIDATE CONSTRAINT d;`],
  [`SET LOCAL statement_timeout = '1h'; SELECT set_config('work_mem', '1GB', true);`],
  [
    'CREATE TRIGGER t AFTER INSERT ON operation FOR EACH ROW EXECUTE FUNCTION f(); DROP TRIGGER t ON operation;',
  ],
  [
    'ALTER TABLE operation RENAME CONSTRAINT a TO b; ALTER INDEX i RENAME TO j; ALTER TABLE operation DROP CONSTRAINT c;',
  ],
];

describe('a migration', () => {
  it.each(BAD)('breaks the rule "%s" with %s %s %s', async (rule, ...scripts) => {
    expect(await rulesFor(...scripts)).toEqual([rule]);
  });

  it.each(GOOD)('breaks no rule with %s', async (...scripts) => {
    expect(await rulesFor(...scripts)).toEqual([]);
  });

  it('is tried with every rule', () => {
    expect(new Set(BAD.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
  });

  it('is named with the line of the statement, the statement, and another way', async () => {
    const [finding] = await find(
      `-- Größe: ein Kommentar\n/* and\nanother */ SELECT 1;\n\n-- The index.\n  CREATE INDEX i\n    ON operation (kind);`,
    );

    expect(finding && tell(finding)).toBe(
      'prisma/migrations/20270100000000_m/migration.sql:6: The build of the index stops all writes to the table.\n' +
        '  CREATE INDEX i ON operation (kind)\n' +
        `  Instead: ${RULES.index.instead}`,
    );
  });

  it('must be SQL that Postgres reads', async () => {
    await expect(find('ALTER TABEL operation;')).rejects.toThrow(
      /^prisma.migrations.20270100000000_m.migration\.sql is no SQL .*syntax error at or near "TABEL"/,
    );
  });
});

describe('the migrations of this code', () => {
  it('break no rule after the baseline', async () => {
    expect(await migrationFaults()).toEqual([]);
  });

  it('have a closed list of those that broke a rule before', async () => {
    const finding = (migration: string): Finding => ({ migration, line: 1, text: 'SELECT', rule: 'index' });
    const later = `${BASELINE}_later`;

    expect(faultsAfter([finding('20260101000000_a')], { '20260101000000_a': 'A reason.' })).toEqual([]);
    expect(faultsAfter([finding('20260101000000_a')], {})).toEqual([tell(finding('20260101000000_a'))]);
    expect(faultsAfter([finding(later)], { [later]: 'A reason.' })).toEqual([
      tell(finding(later)),
      `former.ts lists ${later}. The list is closed: rewrite the migration.`,
    ]);
    expect(faultsAfter([], { '20260101000000_a': 'A reason.' })).toEqual([
      'former.ts lists 20260101000000_a, which breaks no rule. Remove the line.',
    ]);
    expect(Object.keys(FORMER)).toHaveLength(61);
  });
});

it('the lists of tables name tables of the models', () => {
  const models = readdirSync('prisma/models').map((file) => readFileSync(`prisma/models/${file}`, 'utf8'));
  const tables = new Set([...models.join('\n').matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name));

  expect([...SMALL, ...PARTITIONED].filter((name) => !tables.has(name))).toEqual([]);
});
