import type { PageRequest } from '../../kernel/page.ts';
import { built, createNames, type Part } from '../database/built-statement.ts';
import { readRows, type ColumnSet } from '../database/column-set.ts';
import type { Db } from '../database/db.ts';

/** A list of an account's rows in the order of their ids. A row `t` must meet all conditions. */
export type IdList<Row> = {
  readonly table: string;
  readonly account: string;
  readonly columns: ColumnSet<Row>;
  readonly conditions: readonly Part<readonly string[]>[];
};

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function readIdPage<Row>(
  db: Db,
  { table, account, columns, conditions }: IdList<Row>,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly Row[]> {
  const [beyond, order] = direction === 'forward' ? ['<', 'DESC'] : ['>', 'ASC'];
  const statement = built((value) => {
    const where = [
      `t.merchant_account_id = ${value(account)}::text`,
      ...(cursor === null ? [] : [`t.id ${beyond} ${value(cursor)}::uuid`]),
      ...conditions.flatMap((condition) => condition(value)),
    ];
    return `SELECT ${columns.select('t')} FROM ${table} t WHERE ${where.join(' AND ')}
      ORDER BY t.id ${order} LIMIT ${value(limit + 1)}::int`;
  });
  // The account, the cursor and the limit have one good plan. With the values of other conditions, Postgres plans for the values.
  const hasOthers = statement.values.length > (cursor === null ? 2 : 3);
  return await readRows(db, hasOthers ? statement : named(statement), columns);
}

const named = createNames('page_by_id');

/** Makes the condition of a given value. A filter of null is no condition. */
export const given = <Value>(
  value: Value | null,
  condition: (value: Value) => Part<readonly string[]>,
): readonly Part<readonly string[]>[] => (value === null ? [] : [condition(value)]);
