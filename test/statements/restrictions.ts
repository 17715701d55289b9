import type { Node } from 'libpg-query';

/** The tables whose rows belong to a merchant account: name -> the column of the account's id. */
export type Tables = ReadonlyMap<string, string>;

/** A condition of WHERE, ON or USING. It can leave out rows of the aliases in `limits`. Null stands for all. */
export type Condition = { readonly limits: readonly string[] | null } & (
  | { readonly test: Node }
  | { readonly using: string; readonly left: readonly string[]; readonly right: readonly string[] }
);

/** One query level: its tables with an account, by alias, and its conditions. */
export type Level = {
  readonly tables: ReadonlyMap<string, { readonly table: string; readonly column: string }>;
  readonly conditions: readonly Condition[];
};

/** An alias whose account equals a value, or the account of another alias of the level. */
type Fact = { readonly alias: string; readonly equals: string };

/** A value that is no column of the level's tables. */
const VALUE = '$';

/** Returns the aliases whose account equals a value, directly or through other aliases. Those of `excepted` count as such. */
export function restricted(level: Level, excepted: readonly string[]): ReadonlySet<string> {
  const facts = level.conditions.flatMap((condition) =>
    factsOf(condition, level).filter(({ alias }) => condition.limits?.includes(alias) !== false),
  );
  const fine = new Set([VALUE, ...excepted]);
  for (let size = 0; size < fine.size;) {
    size = fine.size;
    for (const { alias, equals } of facts) if (fine.has(equals)) fine.add(alias);
  }
  return fine;
}

function factsOf(condition: Condition, level: Level): readonly Fact[] {
  if ('test' in condition) return factsOfTest(condition.test, level);
  const sideOf = (names: readonly string[]): readonly string[] => {
    const tables = names.filter((name) => level.tables.has(name));
    if (tables.length === 0) return [VALUE];
    return tables.filter((name) => level.tables.get(name)?.column === condition.using);
  };
  const [left, right] = [sideOf(condition.left), sideOf(condition.right)];
  return left.flatMap((one) => right.flatMap((other) => equal(one, other)));
}

const equal = (one: string | null, other: string | null): readonly Fact[] =>
  one === null || other === null
    ? []
    : [
        { alias: one, equals: other },
        { alias: other, equals: one },
      ];

function factsOfTest(test: Node, level: Level): readonly Fact[] {
  if ('BoolExpr' in test) {
    const parts = (test.BoolExpr.args ?? []).map((each) => factsOfTest(each, level));
    if (test.BoolExpr.boolop === 'AND_EXPR') return parts.flat();
    return test.BoolExpr.boolop === 'OR_EXPR' ? inAll(parts) : [];
  }
  if ('SubLink' in test) {
    const { subLinkType, testexpr, operName } = test.SubLink;
    const isIn = subLinkType === 'ANY_SUBLINK' && (!operName || isEquality(operName));
    return isIn ? partsOf(testexpr).flatMap((each) => equal(accountOf(each, level), VALUE)) : [];
  }
  if (!('A_Expr' in test) || !isEquality(test.A_Expr.name)) return [];
  const { kind, lexpr, rexpr } = test.A_Expr;
  if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_OP_ANY' && kind !== 'AEXPR_IN') return [];
  const [left, right] = [partsOf(lexpr), kind === 'AEXPR_OP' ? partsOf(rexpr) : [rexpr]];
  if (left.length !== right.length) return [];
  return left.flatMap((each, index) => equal(accountOf(each, level), accountOf(right[index], level)));
}

/** Returns the facts that hold in each branch of an OR. */
function inAll([first = [], ...rest]: readonly (readonly Fact[])[]): readonly Fact[] {
  return first.filter(({ alias, equals }) =>
    rest.every((facts) => facts.some((fact) => fact.alias === alias && fact.equals === equals)),
  );
}

const isEquality = (name: readonly Node[] | undefined): boolean =>
  name?.length === 1 && name.every((node) => 'String' in node && node.String.sval === '=');

/** Returns the fields of a row, or the expression itself. */
const partsOf = (node: Node | undefined): readonly (Node | undefined)[] =>
  node && 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];

/** Returns the alias whose account the expression is, `VALUE` for a value from elsewhere, and null for all else. */
function accountOf(node: Node | undefined, level: Level): string | null {
  if (node === undefined) return null;
  if ('ParamRef' in node || 'A_Const' in node) return VALUE;
  if ('SubLink' in node) return node.SubLink.subLinkType === 'EXPR_SUBLINK' ? VALUE : null;
  if ('TypeCast' in node) return accountOf(node.TypeCast.arg, level);
  if ('A_ArrayExpr' in node) return ofList(node.A_ArrayExpr.elements ?? [], level);
  if ('List' in node) return ofList(node.List.items ?? [], level);
  return 'ColumnRef' in node ? ofColumn(node.ColumnRef.fields ?? [], level) : null;
}

/** The list of one column is that column. A longer list must have values alone. */
function ofList(nodes: readonly Node[], level: Level): string | null {
  const [first = null, ...rest] = nodes.map((node) => accountOf(node, level));
  return rest.length === 0 || (first === VALUE && rest.every((each) => each === VALUE)) ? first : null;
}

function ofColumn(fields: readonly Node[], level: Level): string | null {
  const names = fields.map((node) => ('String' in node ? (node.String.sval ?? '') : '*'));
  const [column = '', alias] = names.toReversed();
  if (alias !== undefined) {
    const own = level.tables.get(alias);
    if (!own) return VALUE;
    return own.column === column ? alias : null;
  }
  const owners = [...level.tables].filter(([, own]) => own.column === column);
  if (owners.length > 0) return owners.length === 1 ? (owners[0]?.[0] ?? null) : null;
  // Postgres refuses an ambiguous name, so the account of a derived row or an outer level is meant.
  return level.tables.size === 0 || column === 'merchant_account_id' ? VALUE : null;
}
