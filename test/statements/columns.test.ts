import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { preparedTexts } from '../../src/platform/database/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeAll, type Column } from './describe.ts';
import { readPrepared } from './prepared.ts';
import { readRowTypes, type RowType, type RowTypes } from './row-types.ts';

let database: TestDatabase;
let columns: ReadonlyMap<string, readonly Column[]>;
let types: RowTypes;
beforeAll(async () => {
  database = await createTestDatabase();
  await readPrepared();
  columns = await describeAll(database.url, preparedTexts());
  types = readRowTypes();
});
afterAll(() => database.drop());

/** The number of calls whose statement the compiler does not tell, by file. It may only shrink. */
const UNPAIRED = {
  'src/cli/setup/checks.ts': 1,
  'src/graph/reading.ts': 1,
  'src/modules/accounts/store.ts': 1,
  'src/modules/events/delivery/deliveries.sql.ts': 1,
  'src/modules/events/feed/store/feed.sql.ts': 1,
  'src/modules/reports/report.sql.ts': 1,
  'src/modules/transactions/create/create.sql.ts': 1,
  'src/modules/transactions/elsewhere/book.sql.ts': 1,
  'src/modules/transactions/settle/apply.sql.ts': 1,
  'src/modules/transactions/take-back/take-back.sql.ts': 1,
  'src/modules/transactions/inbound-match/match.sql.ts': 1,
  'src/modules/transactions/notices/claim-notices.ts': 1,
  'src/modules/transactions/read/count.sql.ts': 2,
  'src/modules/transactions/read/operations.sql.ts': 1,
  'src/platform/connections/replica.ts': 2,
  'src/platform/database/column-set.ts': 2,
  'src/platform/database/counted-rows.ts': 1,
  'src/platform/database/installation-facts.ts': 1,
  'src/platform/database/plans/plan.sql.ts': 1,
  'src/platform/lists/bounded-list.sql.ts': 2,
  'src/platform/lists/scan-plan.sql.ts': 1,
  'src/platform/lists/owned-lists.sql.ts': 4,
  'src/platform/lists/sorted-page.sql.ts': 1,
  'src/platform/migrate/history.ts': 3,
  'src/platform/migrate/releases.ts': 2,
  'src/platform/moves/count.sql.ts': 2,
  'src/platform/moves/drained.sql.ts': 2,
  'src/platform/moves/moves.sql.ts': 2,
  'src/platform/moves/rows.sql.ts': 2,
  'src/platform/moves/tables.sql.ts': 1,
  'src/platform/moves/versions.sql.ts': 1,
  'src/platform/moves/wall.sql.ts': 2,
  'src/platform/postgres/advisory-lock.ts': 1,
  'src/platform/postgres/primary.ts': 2,
  'src/platform/vault/rotation/rotate.ts': 1,
  'src/platform/vault/rotation/rotation-store.ts': 1,
};

/** The kinds of values that the driver reads from a column, by the type in Postgres. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  bool: ['boolean'],
  bytea: ['object'],
  float8: ['number'],
  int2: ['number'],
  int4: ['number'],
  int8: ['string'],
  json: ['object', 'object[]', 'any'],
  jsonb: ['object', 'object[]', 'any'],
  name: ['string'],
  numeric: ['string'],
  text: ['string'],
  timestamptz: ['Date'],
  uuid: ['string'],
};

const kindsOf = (type: string, isByPrisma: boolean): readonly string[] => {
  if (type.startsWith('_')) return kindsOf(type.slice(1), isByPrisma).map((kind) => `${kind}[]`);
  return isByPrisma && type === 'int8' ? ['bigint'] : (KINDS[type] ?? []);
};

/** Returns the differences between a row type and the columns of its statement. */
function faultsOf({ properties, isByPrisma }: RowType, described: readonly Column[]): readonly string[] {
  const names = described.map(({ name }) => name);
  return [
    ...names.filter((name) => !properties.has(name)).map((name) => `${name} is in no row type`),
    ...[...properties.keys()].filter((name) => !names.includes(name)).map((name) => `${name} is no column`),
    ...described
      .filter(
        ({ name, type }) =>
          properties.has(name) && !kindsOf(type, isByPrisma).includes(properties.get(name) ?? ''),
      )
      .map(({ name, type }) => `${name} is ${type}, and not ${properties.get(name)}`),
  ];
}

describe('the row types of prepared statements', () => {
  it('have the columns of their statements, as the driver reads them', () => {
    const faults = types.paired.flatMap((row) =>
      faultsOf(row, columns.get(row.statement) ?? []).map(
        (fault) => `${row.file}, ${row.statement}: ${fault}`,
      ),
    );
    expect(faults).toEqual([]);
  });

  it('are paired with a statement, except where the call chooses or builds its statement', () => {
    expect(types.paired.length).toBeGreaterThanOrEqual(100);
    expect(Object.fromEntries(types.others)).toEqual(UNPAIRED);
  });

  it.each([
    ['a forgotten column', { id: 'string' }, ['at is in no row type']],
    ['a column that is not there', { id: 'string', at: 'Date', on: 'Date' }, ['on is no column']],
    ['another type', { id: 'number', at: 'Date' }, ['id is int8, and not number']],
  ])('are refused for %s', (_, properties, faults) => {
    const row = {
      statement: 'one',
      file: '',
      isByPrisma: false,
      properties: new Map(Object.entries(properties)),
    };
    const described = [
      { name: 'id', type: 'int8' },
      { name: 'at', type: 'timestamptz' },
    ];
    expect(faultsOf(row, described)).toEqual(faults);
  });

  it('are refused when Postgres does not know a column', async () => {
    const wrong = { name: 'wrong', text: 'SELECT o.amounts FROM operation o' };
    await expect(describeAll(database.url, [wrong])).rejects.toThrow('Postgres refuses wrong');
  });
});
