import type { Node } from 'libpg-query';

/** The parameters that an expression equals in every row, such as `$1`. An empty set stands for an unknown value. */
export type Values = ReadonlySet<string>;

export const UNKNOWN: Values = new Set();

/** A column of rows whose columns have no names in the text. */
export const ANY_COLUMN = '*';

/** The rows of an item of FROM or of an answer, as the values of each column. The columns have their order. */
export type Rows = ReadonlyMap<string, Values>;

/** A condition of WHERE, ON or USING: a column of an alias equals another column or values. */
export type Fact = { readonly one: Term; readonly other: Term; readonly limits: readonly string[] | null };

/** A column `alias.column` of the level, or values. */
export type Term = { readonly alias: string; readonly column: string } | { readonly values: Values };

/** One query level, and the levels around it. The rows of the level grow while facts are found. */
export type Scope = {
  readonly items: Map<string, Rows>;
  readonly outer: Scope | null;
};

/** The columns of a table in order, and the one with the id of the merchant account. Null without one. */
export type Table = { readonly columns: readonly string[]; readonly account: string | null };

export type Tables = ReadonlyMap<string, Table>;

/** A table in a statement, and the parameters that the account of each of its rows equals. */
export type Reference = { readonly name: string; readonly values: Values };

/** The surroundings of a query level. */
export type Around = {
  readonly tables: Tables;
  readonly named: ReadonlyMap<string, Rows>;
  readonly outer: Scope | null;
  /** The references by their place in the parsed text. A level that is read again replaces what it found before. */
  readonly found: Map<object, Reference>;
  /** Reads a query. Returns the rows that it answers. */
  readonly rowsOf: (query: Node, around: Around) => Rows;
};

/** The place of a table's account in a level. */
export type Place = { readonly table: string; readonly alias: string; readonly column: string | null };

/** Returns the values of either set. */
export const union = (one: Values, other: Values): Values => new Set([...one, ...other]);

export const isWithin = (part: Values, whole: Values): boolean =>
  [...part].every((value) => whole.has(value));

/** Returns the values of both sets. */
export const both = (one: Values, other: Values): Values =>
  new Set([...one].filter((value) => other.has(value)));

/** Returns the words of a name, such as `o` and `id` of `o.id`. A star is `*`. */
export const namesOf = (nodes: readonly Node[] = []): readonly string[] =>
  nodes.map((node) => ('String' in node ? (node.String.sval ?? '') : '*'));

/** Finds the column of a level, or of the nearest level around it. Null for a column that no item is known to have. */
export function findColumn(
  names: readonly string[],
  scope: Scope,
): { readonly scope: Scope; readonly alias: string; readonly column: string } | null {
  const [column = '', alias] = names.toReversed();
  for (let around: Scope | null = scope; around; around = around.outer) {
    const found = [...around.items].find(
      ([name, rows]) => (alias === undefined || name === alias) && rows.has(column),
    );
    if (found) return { scope: around, alias: found[0], column };
    const mayHave = [...around.items].some(
      ([name, rows]) => name === alias || (alias === undefined && rows.has(ANY_COLUMN)),
    );
    if (mayHave) return null;
  }
  return null;
}

/** Adds the values that follow from the facts to the rows of a level. Returns false when all of them were known. */
export function learn({ items }: Scope, facts: readonly Fact[]): boolean {
  let hasLearned = false;
  const valuesOf = (term: Term): Values =>
    'values' in term ? term.values : (items.get(term.alias)?.get(term.column) ?? UNKNOWN);
  const teach = (term: Term, values: Values, limits: Fact['limits']): void => {
    if ('values' in term || limits?.includes(term.alias) === false) return;
    const known = valuesOf(term);
    if (isWithin(values, known)) return;
    items.set(term.alias, new Map(items.get(term.alias)).set(term.column, union(known, values)));
    hasLearned = true;
  };
  for (const { one, other, limits } of facts) {
    teach(one, valuesOf(other), limits);
    teach(other, valuesOf(one), limits);
  }
  return hasLearned;
}
