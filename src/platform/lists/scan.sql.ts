import type { AddValue } from '../database/built-statement.ts';
import type { ColumnSet } from '../database/column-set.ts';
import { needsNoRow, type BoundedList, type ScanPlan } from './scan-plan.sql.ts';

// The parts of statements that scan the rows of a list.

/** A list with the columns of its rows. */
export type BoundedRows<Row> = BoundedList & { readonly columns: ColumnSet<Row> };

/** Reads the rows of a page. If the index alone tells them, no other row is read. */
export function pageText(list: BoundedRows<unknown>, plan: ScanPlan, limit: number, value: AddValue): string {
  const wanted = list.columns.select('t');
  const isOfIndex = plan.ordered && needsNoRow(plan);
  const { from, where, sorted } = scan(list, plan, isOfIndex ? '' : wanted, value);
  const end = `${orderOf(list, sorted)} LIMIT ${value(limit)}::int`;
  if (!isOfIndex) return `SELECT ${wanted} FROM ${from} WHERE ${where} ${end}`;
  const keys = keysOf(list).map((key) => `${sorted}.${key}`);
  const page = `SELECT ${keys.join(', ')} FROM ${from} WHERE ${where} ${end}`;
  return `SELECT ${wanted} FROM (${page}) s ${withRow(list, [wanted], value)} ${orderOf(list, 's')}`;
}

/** Counts the rows of a list up to a limit. */
export function countText(list: BoundedList, plan: ScanPlan, limit: number, value: AddValue): string {
  const { from, where } = scan(list, plan, '', value);
  return `SELECT count(*)::int AS count FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${value(limit)}::int) matches`;
}

/** A FROM item of the scanned rows, the conditions on them, and the alias that has the order. */
type Scanned = { readonly from: string; readonly where: string; readonly sorted: 't' | 's' };

/** Returns the scanned rows of a plan. A text behind the scan names the other columns of `t` that it needs. */
export function scan(list: BoundedList, plan: ScanPlan, wanted: string, value: AddValue): Scanned {
  const { index, ordered, filters } = plan;
  // Postgres plans for this number, also in a plan for all values.
  const most = String(plan.scanLimit);
  const conditions = filters.flatMap(({ where }) => where(value));
  if (index === null) {
    const columns = [...keysOf(list), ...columnsIn([wanted, ...conditions])];
    const rows = all([orderedScan(list, columns, value), ...(plan.within?.where(value) ?? [])]);
    const from = `(${rows} ${orderOf(list, 't')} LIMIT ${most}) t`;
    return { from, where: all(conditions), sorted: 't' };
  }
  if (!ordered) {
    const end = String(plan.scanLimit + (plan.isAllOrNothing ? 1 : 0));
    const entries = `entries AS MATERIALIZED (SELECT id FROM (${index.entries(value, end)}) e LIMIT ${end})`;
    const gate = plan.isAllOrNothing ? `WHERE (SELECT count(*) FROM entries) <= ${most}` : '';
    const ranged = [...list.range(value), ...conditions];
    const row = withRow(list, [orderOf(list, 't'), wanted, ...ranged], value);
    return {
      from: `(WITH ${entries} SELECT DISTINCT id FROM entries ${gate}) s ${row}`,
      where: all(ranged),
      sorted: 't',
    };
  }
  const rows = `(SELECT * FROM (${index.entries(value, null)}) s ${orderOf(list, 's')} LIMIT ${most}) s`;
  const from = needsNoRow(plan) ? rows : `${rows} ${withRow(list, [wanted, ...conditions], value)}`;
  return { from, where: all(conditions), sorted: 's' };
}

/** The columns of the order. */
export const keysOf = ({ sort: { column } }: BoundedList): readonly string[] =>
  column === 'id' ? ['id'] : [column, 'id'];

/** The rows of the account in the range of the list. The caller adds the order. */
export const orderedScan = (list: BoundedList, columns: readonly string[], value: AddValue): string =>
  `SELECT ${[...new Set(columns)].map((column) => `t.${column}`).join(', ')} FROM ${list.table} t
    WHERE ${all([...listConditions(list, value), ...list.range(value)])}`;

/** The conditions on every row of the list. */
export const listConditions = (list: BoundedList, value: AddValue): readonly string[] => [
  isOwn('t', list, value),
  ...(list.only === null ? [] : [list.only]),
];

const isOwn = (alias: string, { account }: BoundedList, value: AddValue): string =>
  `${alias}.merchant_account_id = ${value(account)}::text`;

/**
 * Joins the columns of the row `t` of each id that some texts name. OFFSET 0 keeps the planner from other joins, which would
 * read further rows.
 */
export const withRow = (list: BoundedList, texts: readonly string[], value: AddValue): string =>
  `CROSS JOIN LATERAL (SELECT ${columnsIn(texts).join(', ')} FROM ${list.table} r
    WHERE ${isOwn('r', list, value)} AND r.id = s.id OFFSET 0) t`;

/**
 * Returns the columns of `t` that some texts name. Postgres would fill each other column of a subquery with NULL, row by row.
 * With 75 columns, that takes longer than the read of the row.
 */
const columnsIn = (texts: readonly string[]): readonly string[] => [
  ...new Set([...texts.join(' ').matchAll(/\bt\.(\w+)/g)].map(([, column = '']) => column)),
];

/** Returns the ORDER BY of the list for this alias. */
export const orderOf = (list: BoundedList, alias: string): string => `ORDER BY ${sortKeys(list, alias)}`;

/** Returns the sort keys of the list with their directions. */
export const sortKeys = (list: BoundedList, alias: string): string =>
  keysOf(list)
    .map((key) => `${alias}.${key} ${list.sort.down ? 'DESC' : 'ASC'}`)
    .join(', ');

/** Joins conditions. */
export const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : conditions.join(' AND ');
