import {
  parse,
  type DeleteStmt,
  type InsertStmt,
  type Node,
  type RangeVar,
  type SelectStmt,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query';
import { factsOf, valuesOf } from './conditions.ts';
import { collectItem, type Join } from './items.ts';
import { UNKNOWN, both, isWithin, learn, namesOf } from './values.ts';
import type { Around, Fact, Place, Reference, Rows, Scope, Tables, Values } from './values.ts';

/**
 * Parses a statement and returns its tables, each with the parameters that the account of all its rows equals.
 *
 * Equality is followed through =, IN and ANY of one value, USING, rows of parameters, subselects and common table expressions.
 * An INSERT has the parameters that it writes as the account. A table without an account has no parameter.
 */
export async function referencesOf(text: string, tables: Tables): Promise<readonly Reference[]> {
  const { stmts = [] } = await parse(text);
  const found = new Map<object, Reference>();
  for (const { stmt } of stmts)
    if (stmt) rowsOf(stmt, { tables, named: new Map(), outer: null, found, rowsOf });
  return [...found.values()];
}

/** Reads a statement or a query in it. Returns the rows that it answers. */
function rowsOf(node: Node, around: Around): Rows {
  if ('SelectStmt' in node) return rowsOfSelect(node.SelectStmt, around);
  if ('InsertStmt' in node) return rowsOfInsert(node.InsertStmt, withNames(node.InsertStmt, around));
  if ('UpdateStmt' in node) return rowsOfChange(node.UpdateStmt, withNames(node.UpdateStmt, around));
  if ('DeleteStmt' in node) return rowsOfChange(node.DeleteStmt, withNames(node.DeleteStmt, around));
  if ('MergeStmt' in node) throw new Error('The walk does not know MERGE.');
  return new Map();
}

/** Reads the common table expressions of a query, in order. */
function withNames({ withClause }: { readonly withClause?: WithClause }, around: Around): Around {
  const named = new Map(around.named);
  for (const node of withClause?.ctes ?? []) {
    if (!('CommonTableExpr' in node) || !node.CommonTableExpr.ctequery) continue;
    const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr;
    const inside = { ...around, named: new Map(named) };
    if (withClause?.recursive === true) inside.named.set(ctename, ofFirstTerm(ctequery, inside));
    named.set(ctename, renamed(settled(ctename, ctequery, inside), namesOf(aliascolnames)));
  }
  return { ...around, named };
}

/** A recursive query has the rows of its first term before the first step. */
const ofFirstTerm = (query: Node, around: Around): Rows =>
  'SelectStmt' in query && query.SelectStmt.larg ? rowsOfSelect(query.SelectStmt.larg, around) : new Map();

/** Reads a query again until its rows, which it may read itself, stay the same. */
function settled(name: string, query: Node, around: Around): Rows {
  const rows = rowsOf(query, around);
  const assumed = around.named.get(name);
  if (!assumed || [...assumed].every(([column, values]) => isWithin(values, rows.get(column) ?? UNKNOWN)))
    return rows;
  return settled(name, query, { ...around, named: new Map(around.named).set(name, rows) });
}

const renamed = (rows: Rows, names: readonly string[]): Rows =>
  new Map([...rows].map(([column, values], nth) => [names[nth] ?? column, values]));

function rowsOfSelect(stmt: SelectStmt, outside: Around): Rows {
  const around = withNames(stmt, outside);
  const { larg, rarg, valuesLists, targetList = [], fromClause = [], whereClause } = stmt;
  if (larg && rarg) return united(rowsOfSelect(larg, around), rowsOfSelect(rarg, around));
  const scope = levelOf({ from: fromClause, where: whereClause }, around);
  if (valuesLists) return ofLists(valuesLists, scope, around);
  readSubselects({ ...stmt, fromClause: [] }, scope, around);
  return answerOf(targetList, scope, around);
}

/** A row of a UNION comes from either side. */
function united(one: Rows, other: Rows): Rows {
  const values = [...other.values()];
  return new Map([...one].map(([column, known], nth) => [column, both(known, values[nth] ?? UNKNOWN)]));
}

function ofLists(lists: readonly Node[], scope: Scope, around: Around): Rows {
  readSubselects(lists, scope, around);
  const rows = lists.map((list) =>
    'List' in list ? (list.List.items ?? []).map((each) => valuesOf(each, inside(scope, around))) : [],
  );
  const [first = [], ...rest] = rows;
  return new Map(
    first.map((values, nth) => [
      `column${nth + 1}`,
      rest.reduce((all, row) => both(all, row[nth] ?? UNKNOWN), values),
    ]),
  );
}

type From = { readonly from: readonly Node[]; readonly where: Node | undefined; readonly target?: RangeVar };

/** Collects the items of a level, and learns from its conditions until nothing new follows. */
function levelOf({ from, where, target }: From, around: Around): Scope {
  const scope: Scope = { items: new Map(), outer: around.outer };
  const joins: Join[] = where ? [{ test: where, limits: null }] : [];
  const references = new Map<object, Place>();
  const functions: Node[] = [];
  const level = { scope, joins, references, functions, around };
  const collect = (): void => {
    joins.length = where ? 1 : 0;
    // A common table expression never hides the target of a change.
    if (target) collectItem({ RangeVar: target }, { ...level, around: { ...around, named: new Map() } });
    for (const item of from) collectItem(item, level);
  };
  do collect();
  while (
    learn(
      scope,
      joins.flatMap((join) => factsOfJoin(join, scope, around)),
    )
  );
  const tests = joins.flatMap((join) => ('test' in join && join.test !== where ? [join.test] : []));
  readSubselects([...tests, ...functions], scope, around);
  for (const [node, { table, alias, column }] of references)
    around.found.set(node, {
      name: table === alias ? table : `${table} ${alias}`,
      values: (column !== null && scope.items.get(alias)?.get(column)) || UNKNOWN,
    });
  return scope;
}

function factsOfJoin(join: Join, scope: Scope, around: Around): readonly Fact[] {
  const { limits } = join;
  if ('test' in join) return factsOf(join.test, inside(scope, around)).map((fact) => ({ ...fact, limits }));
  const { using, left, right } = join;
  const having = (aliases: readonly string[]): readonly string[] =>
    aliases.filter((alias) => scope.items.get(alias)?.has(using));
  return having(left).flatMap((one) =>
    having(right).map((other) => ({
      one: { alias: one, column: using },
      other: { alias: other, column: using },
      limits,
    })),
  );
}

const inside = (scope: Scope, around: Around) => ({
  scope,
  ofQuery: (query: Node | undefined): readonly Values[] =>
    query ? [...rowsOf(query, { ...around, outer: scope }).values()] : [],
});

/** Reads the subselects in expressions of a level. */
function readSubselects(value: unknown, scope: Scope, around: Around): void {
  if (Array.isArray(value)) for (const each of value) readSubselects(each, scope, around);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if ('SelectStmt' in value) rowsOf(value as Node, { ...around, outer: scope });
  else
    for (const [key, child] of Object.entries(value))
      if (key !== 'withClause') readSubselects(child, scope, around);
}

/** Returns the rows of a list of expressions with names. */
function answerOf(targets: readonly Node[], scope: Scope, around: Around): Rows {
  const rows = new Map<string, Values>();
  for (const [nth, node] of targets.entries()) {
    if (!('ResTarget' in node)) continue;
    const { name, val } = node.ResTarget;
    const fields = val && 'ColumnRef' in val ? namesOf(val.ColumnRef.fields) : [];
    if (fields.at(-1) !== '*') {
      rows.set(name ?? fields.at(-1) ?? `?${nth}`, valuesOf(val, inside(scope, around)));
      continue;
    }
    const items = [...scope.items].filter(([alias]) => fields.length === 1 || alias === fields[0]);
    const columns = items.flatMap(([, item]) => [...item]);
    // Columns of one name lose their places.
    if (
      columns.some(
        ([column], nth) => rows.has(column) || columns.findIndex(([other]) => other === column) < nth,
      )
    )
      return new Map();
    for (const [column, values] of columns) rows.set(column, values);
  }
  return rows;
}

function rowsOfChange(stmt: UpdateStmt & DeleteStmt, around: Around): Rows {
  const { relation, fromClause = [], usingClause = [], whereClause, returningClause } = stmt;
  const scope = levelOf(
    { from: [...fromClause, ...usingClause], where: whereClause, ...(relation && { target: relation }) },
    around,
  );
  readSubselects({ ...stmt, fromClause: [], usingClause: [] }, scope, around);
  const { relname = '', alias: { aliasname = relname } = {} } = relation ?? {};
  for (const column of columnsOf(stmt.targetList)) {
    // The row leaves its account.
    if (column === around.tables.get(relname)?.account)
      around.found.set(stmt, { name: `UPDATE ${relname}.${column}`, values: UNKNOWN });
    scope.items.set(aliasname, new Map(scope.items.get(aliasname)).set(column, UNKNOWN));
  }
  return answerOf(returningClause?.exprs ?? [], scope, around);
}

const columnsOf = (targets: readonly Node[] = []): readonly string[] =>
  targets.map((node) => ('ResTarget' in node ? (node.ResTarget.name ?? '') : ''));

function rowsOfInsert(stmt: InsertStmt, around: Around): Rows {
  const { relation = {}, cols = [], selectStmt, returningClause, onConflictClause } = stmt;
  const { relname = '', alias: { aliasname = relname } = {} } = relation;
  const { columns = [], account = null } = around.tables.get(relname) ?? {};
  const written = [...(selectStmt ? rowsOf(selectStmt, around) : new Map<string, Values>()).values()];
  const names = cols.length > 0 ? columnsOf(cols) : columns;
  const row: Rows = new Map(columns.map((column) => [column, written[names.indexOf(column)] ?? UNKNOWN]));
  // The row that a conflict changes has the new values of the key alone. The key may lack the account.
  const { action, infer, targetList } = onConflictClause ?? {};
  const key = (infer?.indexElems ?? []).map((node) => ('IndexElem' in node ? node.IndexElem.name : ''));
  const kept = action === 'ONCONFLICT_UPDATE' ? key : columns;
  const stored: Rows = new Map(
    columns.map((column) => [column, (kept.includes(column) && row.get(column)) || UNKNOWN]),
  );
  const isMoved = columnsOf(targetList).some((column) => column === account);
  around.found.set(relation, {
    name: `INSERT ${relname}`,
    values: (!isMoved && account !== null && stored.get(account)) || UNKNOWN,
  });
  const items = new Map([
    [aliasname, stored],
    ['excluded', row],
  ]);
  const scope: Scope = { items, outer: around.outer };
  readSubselects([onConflictClause, returningClause], scope, around);
  items.delete('excluded');
  return answerOf(returningClause?.exprs ?? [], scope, around);
}
