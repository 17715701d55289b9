import { parse, type Node, type OnConflictClause, type SelectStmt, type WithClause } from 'libpg-query';
import { restricted, type Condition, type Level, type Tables } from './restrictions.ts';

/** A reference to a table, such as `approval a` or `INSERT event`, that reaches rows of other merchant accounts. */
type Finding = string;

/** The parts of SELECT, UPDATE, DELETE and INSERT that the walk reads. */
type Stmt = Partial<Omit<SelectStmt, 'withClause'>> & {
  readonly relation?: { readonly relname?: string; readonly alias?: { readonly aliasname?: string } };
  readonly usingClause?: Node[];
  readonly withClause?: WithClause;
  readonly cols?: Node[];
  readonly selectStmt?: Node;
  readonly onConflictClause?: OnConflictClause;
};

/** The keys whose value is a query level. A join's `larg` has no clause of a statement, so it passes as an empty level. */
const LEVELS: readonly string[] = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt', 'larg', 'rarg'];

/** The surroundings of a query level. */
type Around = {
  readonly tables: Tables;
  /** The references that count as restricted for others of their level. */
  readonly excepted: readonly string[];
  /** The common table expressions that the level sees. Their names hide tables. */
  readonly names: ReadonlySet<string>;
};

/**
 * Parses a statement and returns the references to tables that a merchant account does not restrict. A reference comes once for
 * each query level, and an INSERT once for each fault.
 *
 * A reference is restricted if its own query level compares its account with a value, or with a restricted row. Rows
 * of other levels count as restricted, because the walk visits each level: outer ones, subselects, common table expressions.
 * An INSERT must write the account, from a parameter or from another row's account.
 *
 * A reference of `excepted` restricts the rows that it joins. The walk returns the reference itself as long as nothing else
 * restricts it, so an exception cannot outlive its need.
 */
export async function findingsOf(
  text: string,
  tables: Tables,
  excepted: readonly string[] = [],
): Promise<readonly Finding[]> {
  const { stmts } = await parse(text);
  return walk(stmts, { tables, excepted, names: new Set() });
}

function walk(value: unknown, around: Around): readonly Finding[] {
  if (Array.isArray(value)) return value.flatMap((each) => walk(each, around));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === 'MergeStmt') throw new Error('The walk does not know MERGE.');
    return LEVELS.includes(key) ? walkLevel(child as Stmt, key, around) : walk(child, around);
  });
}

function walkLevel(stmt: Stmt, kind: string, around: Around): readonly Finding[] {
  const { withClause, ...rest } = stmt;
  const ctes = (withClause?.ctes ?? []).flatMap((node) =>
    'CommonTableExpr' in node ? [node.CommonTableExpr] : [],
  );
  const names = new Set([...around.names, ...ctes.map(({ ctename = '' }) => ctename)]);
  const inside = { ...around, names };
  const findings: Finding[] = [];
  const before = new Set(around.names);
  for (const { ctename = '', ctequery } of ctes) {
    const isRecursive = withClause?.recursive === true;
    findings.push(...walk(ctequery, { ...inside, names: isRecursive ? names : new Set(before) }));
    before.add(ctename);
  }
  if (kind === 'InsertStmt') return [...findings, ...lacksOfInsert(rest, inside), ...walk(rest, inside)];
  const level = levelOf(rest, inside);
  return [...findings, ...lacksOfLevel(level, inside), ...walk(rest, inside)];
}

function lacksOfLevel(level: Level, { excepted }: Around): readonly Finding[] {
  const references = [...level.tables].map(([alias, { table }]) => ({
    alias,
    reference: alias === table ? table : `${table} ${alias}`,
  }));
  const free = references.filter(({ reference }) => excepted.includes(reference)).map(({ alias }) => alias);
  return references
    .filter(
      ({ alias }) =>
        !restricted(
          level,
          free.filter((each) => each !== alias),
        ).has(alias),
    )
    .map(({ reference }) => reference);
}

/** A level that is being collected. */
type Growing = {
  readonly tables: Map<string, { table: string; column: string }>;
  readonly conditions: Condition[];
};

/** Collects the tables and the conditions of one query level. */
function levelOf(stmt: Stmt, { names, tables }: Around): Level {
  const { relation, fromClause = [], usingClause = [], whereClause } = stmt;
  const level: Growing = { tables: new Map(), conditions: [] };
  const columnOf = (table: string): string | undefined => (names.has(table) ? undefined : tables.get(table));
  // A common table expression never hides the target of a change.
  if (relation) addTable(relation, level, (table) => tables.get(table));
  for (const item of [...fromClause, ...usingClause]) collect(item, level, columnOf);
  if (whereClause) level.conditions.push({ test: whereClause, limits: null });
  return level;
}

type ColumnOf = (table: string) => string | undefined;

function addTable(
  { relname = '', alias }: NonNullable<Stmt['relation']>,
  level: Growing,
  columnOf: ColumnOf,
): string {
  const name = alias?.aliasname ?? relname;
  const column = columnOf(relname);
  if (column !== undefined) level.tables.set(name, { table: relname, column });
  return name;
}

/** Adds an item of FROM to the level. Returns the aliases in the item. */
function collect(item: Node, level: Growing, columnOf: ColumnOf): readonly string[] {
  if ('RangeVar' in item) return [addTable(item.RangeVar, level, columnOf)];
  if ('RangeSubselect' in item) return [item.RangeSubselect.alias?.aliasname ?? ''];
  if ('RangeFunction' in item) return [item.RangeFunction.alias?.aliasname ?? ''];
  if (!('JoinExpr' in item)) throw new Error(`The walk does not know ${Object.keys(item).join()} in FROM.`);
  const { larg, rarg, jointype, quals, usingClause } = item.JoinExpr;
  const left = larg ? collect(larg, level, columnOf) : [];
  const right = rarg ? collect(rarg, level, columnOf) : [];
  // The condition of an outer join keeps every row of its outer side.
  const limits = [
    ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? left : []),
    ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? right : []),
  ];
  if (quals) level.conditions.push({ test: quals, limits });
  for (const using of (usingClause ?? []).map(nameOf)) level.conditions.push({ using, left, right, limits });
  return [...left, ...right];
}

const nameOf = (node: Node): string => ('String' in node ? (node.String.sval ?? '') : '');

function lacksOfInsert(stmt: Stmt, { tables }: Around): readonly Finding[] {
  const { relation, cols = [], selectStmt, onConflictClause: { action, infer } = {} } = stmt;
  const table = relation?.relname ?? '';
  const [column, reference] = [tables.get(table), `INSERT ${table}`];
  if (column === undefined) return [];
  const at = cols.findIndex((node) => 'ResTarget' in node && node.ResTarget.name === column);
  if (at < 0) return [reference];
  const written = selectStmt && 'SelectStmt' in selectStmt ? valuesAt(selectStmt.SelectStmt, at) : [];
  const isOwn =
    action !== 'ONCONFLICT_UPDATE' ||
    infer?.indexElems?.some((node) => 'IndexElem' in node && node.IndexElem.name === column) === true;
  return [
    ...(written.length > 0 && written.every(isAccount) ? [] : [reference]),
    // ON CONFLICT may change a row of another account.
    ...(isOwn ? [] : [reference]),
  ];
}

/** Returns the values that a query gives for a column: one for each row of VALUES and side of UNION. */
function valuesAt(query: SelectStmt, at: number): readonly (Node | undefined)[] {
  const { larg, rarg, valuesLists, targetList } = query;
  if (larg && rarg) return [...valuesAt(larg, at), ...valuesAt(rarg, at)];
  if (valuesLists) return valuesLists.map((node) => ('List' in node ? node.List.items?.[at] : undefined));
  // A star before the place would shift the columns.
  const before = targetList?.slice(0, at + 1) ?? [];
  if (before.some((node) => JSON.stringify(node).includes('A_Star'))) return [undefined];
  const target = before[at];
  return [target && 'ResTarget' in target ? target.ResTarget.val : undefined];
}

/** The names of an account's id in rows of tables and in rows of parameters. */
const ACCOUNTS: readonly string[] = ['merchant_account_id', 'merchantAccountId', 'account'];

/** True if the expression is a parameter, or the account of a row. */
function isAccount(value: Node | undefined): boolean {
  if (value === undefined) return false;
  if ('ParamRef' in value) return true;
  if ('TypeCast' in value) return isAccount(value.TypeCast.arg);
  const column = 'ColumnRef' in value ? value.ColumnRef.fields?.at(-1) : undefined;
  return column !== undefined && ACCOUNTS.includes(nameOf(column));
}
