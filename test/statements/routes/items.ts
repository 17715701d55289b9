import type { Node, RangeFunction, RangeSubselect, RangeVar } from 'libpg-query';
import {
  ANY_COLUMN,
  UNKNOWN,
  namesOf,
  union,
  type Around,
  type Place,
  type Rows,
  type Scope,
} from './values.ts';

/** A condition of WHERE, ON or USING. It can leave out rows of the aliases in `limits`. Null stands for all. */
export type Join = { readonly limits: readonly string[] | null } & (
  | { readonly test: Node }
  | { readonly using: string; readonly left: readonly string[]; readonly right: readonly string[] }
);

type Level = {
  readonly scope: Scope;
  readonly joins: Join[];
  readonly references: Map<object, Place>;
  /** The functions in FROM. Their arguments may hold subselects. */
  readonly functions: Node[];
  readonly around: Around;
};

/** Adds an item of FROM to a level. Returns the aliases in the item. */
export function collectItem(item: Node, level: Level): readonly string[] {
  if ('JoinExpr' in item) return collectJoin(item.JoinExpr, level);
  const [alias, rows] = itemOf(item, level);
  const known = level.scope.items.get(alias);
  level.scope.items.set(
    alias,
    new Map([...rows].map(([column, values]) => [column, union(values, known?.get(column) ?? UNKNOWN)])),
  );
  return [alias];
}

function itemOf(item: Node, level: Level): readonly [alias: string, rows: Rows] {
  if ('RangeVar' in item) return ofName(item.RangeVar, level);
  if ('RangeSubselect' in item) return ofSubselect(item.RangeSubselect, level);
  if ('RangeFunction' in item) {
    level.functions.push(item);
    return ofFunction(item.RangeFunction);
  }
  throw new Error(`The walk does not know ${Object.keys(item).join()} in FROM.`);
}

function ofName(range: RangeVar, { around, references }: Level): readonly [string, Rows] {
  const { relname = '', alias: { aliasname = relname, colnames } = {} } = range;
  const rows = around.named.get(relname);
  if (rows) return [aliasname, withNames(rows, namesOf(colnames))];
  const table = around.tables.get(relname);
  if (table) references.set(range, { table: relname, alias: aliasname, column: table.account });
  return [aliasname, new Map(table?.columns.map((column) => [column, UNKNOWN]))];
}

function ofSubselect(
  { subquery, lateral, alias }: RangeSubselect,
  { scope, around }: Level,
): readonly [string, Rows] {
  const rows = subquery
    ? around.rowsOf(subquery, { ...around, outer: lateral ? scope : around.outer })
    : new Map();
  if (!alias?.aliasname) throw new Error('The walk does not know a subselect without a name.');
  return [alias.aliasname, withNames(rows, namesOf(alias.colnames))];
}

/** The rows of a function have no known value. Without names for its columns, it may have any. */
function ofFunction({ alias, coldeflist = [] }: RangeFunction): readonly [string, Rows] {
  const { aliasname = '', colnames } = alias ?? {};
  const defined = coldeflist.map((node) => ('ColumnDef' in node ? (node.ColumnDef.colname ?? '') : ''));
  const names = [...namesOf(colnames), ...defined];
  return [
    aliasname,
    new Map((names.length > 0 ? names : [aliasname, ANY_COLUMN]).map((name) => [name, UNKNOWN])),
  ];
}

const withNames = (rows: Rows, names: readonly string[]): Rows =>
  new Map([...rows].map(([column, values], nth) => [names[nth] ?? column, values]));

type JoinExpr = Extract<Node, { JoinExpr: unknown }>['JoinExpr'];

function collectJoin(
  { larg, rarg, jointype, quals, usingClause }: JoinExpr,
  level: Level,
): readonly string[] {
  const left = larg ? collectItem(larg, level) : [];
  const right = rarg ? collectItem(rarg, level) : [];
  // The condition of an outer join keeps every row of its outer side.
  const limits = [
    ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? left : []),
    ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? right : []),
  ];
  if (quals) level.joins.push({ test: quals, limits });
  for (const using of namesOf(usingClause)) level.joins.push({ using, left, right, limits });
  return [...left, ...right];
}
