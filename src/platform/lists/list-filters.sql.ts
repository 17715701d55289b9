import type { AddValue, Part } from '../database/built-statement.ts';

// The filters of lists, by the index that finds their rows. Each index has the account first. An index in the order of
// creation has the moment of creation and the id behind its own column.

/** A range of an index with the rows that meet one filter. */
export type IndexScan = {
  /**
   * A query of `id` that scans the range alone. If ordered, it also answers the sort column, in the range of the list. If not
   * ordered, it may repeat an id.
   *
   * - `end`: the number after which the query ends, in the order of the index. In another order, Postgres could choose to read
   *   the table. Null without an end, and without an order.
   */
  readonly entries: (value: AddValue, end: string | null) => string;
  /** True if the index has the order of the list. */
  readonly ordered: boolean;
  /** True if each entry meets the filter. Otherwise the conditions of the filter decide. */
  readonly exact: boolean;
  /** True if the filter leaves few rows of an account, such as those of one buyer. */
  readonly selective: boolean;
  /** True if the index is one of the list's table, so that a scan of the index has whole rows. */
  readonly ofRows: boolean;
};

/** One filter of a list. */
export type Filter = {
  /** The conditions on a row `t`. */
  readonly where: Part<readonly string[]>;
  /** Null if no index finds the rows. */
  readonly index: IndexScan | null;
  /** True if the index of the list's order has all columns of the conditions. */
  readonly isCovered: boolean;
};

/** A table with the terms of another table's rows. Its index has the account and the term first. */
export type TermTable = {
  readonly name: string;
  /** The column with the id of the row. */
  readonly id: string;
  /** True if the entries of a term have the order of creation. */
  readonly hasCreation: boolean;
};

/** A table with a list. */
export type ListedTable = {
  readonly name: string;
  readonly terms: TermTable;
  /** True if the index of the order of creation has the amount. */
  readonly hasAmount: boolean;
  /** The condition on a row `t` that every list and every index in the order of creation has. Otherwise null. */
  readonly only: string | null;
};

/** The list to filter. */
export type Listed = {
  readonly table: ListedTable;
  readonly account: string;
  /** True if the list has the order of creation. */
  readonly isByCreation: boolean;
  /**
   * Conditions on the moment of creation and the id, given their columns. In the order of creation they include the position
   * behind which the page starts.
   */
  readonly created: (createdAt: string, id: string) => Part<readonly string[]>;
};

type One<Value> = (value: Value, listed: Listed) => Filter;

/** Makes the rule of a filter that has one condition. */
export const one =
  <Value>(filter: One<Value>) =>
  (value: Value, listed: Listed): readonly Filter[] => [filter(value, listed)];

/**
 * Leads along an index of the table to rows that meet one of the alternatives.
 *
 * - `columns`: the columns of the index behind the account. An index by creation ends with the moment of creation and the id.
 *   Any other is of a column that names few rows.
 * - `isSelective`: the rows are few, although the index is one by creation.
 */
export const inRows = (
  alternatives: readonly Part<readonly string[]>[],
  { account, table, created, isByCreation: listIsByCreation }: Listed,
  columns: readonly string[],
  isSelective = false,
): IndexScan => {
  const isByCreation = columns.includes('t.created_at');
  return {
    entries: (value, end) =>
      alternatives
        .map((where) => {
          const owned = `t.merchant_account_id = ${value(account)}::text`;
          const bounds = isByCreation ? created('t.created_at', 't.id')(value) : [];
          const conditions = [
            owned,
            ...(table.only === null ? [] : [table.only]),
            ...where(value),
            ...bounds,
          ];
          return `(SELECT t.created_at, t.id FROM ${table.name} t WHERE ${conditions.join(' AND ')} ${ended(columns, end)})`;
        })
        .join(' UNION ALL '),
    ordered: isByCreation && listIsByCreation && alternatives.length === 1,
    exact: true,
    selective: isSelective || !isByCreation,
    ofRows: true,
  };
};

/** Ends a query after so many entries in the order of an index. */
export const ended = (columns: readonly string[], end: string | null): string =>
  end === null ? '' : `ORDER BY ${columns.join(', ')} LIMIT ${end}`;

/** Leads along the entries of one term. */
export const inTerms = (
  term: Part,
  { account, table: { terms }, created, isByCreation }: Listed,
  exact: boolean,
): IndexScan => ({
  entries: (value, end) => {
    const owned = `x.merchant_account_id = ${value(account)}::text`;
    const bounds = terms.hasCreation ? created('x.created_at', `x.${terms.id}`)(value) : [];
    const creation = terms.hasCreation ? 'x.created_at, ' : '';
    return `SELECT ${creation}x.${terms.id} AS id FROM ${terms.name} x
      WHERE ${[owned, `x.term = ${term(value)}`, ...bounds].join(' AND ')} ${ended(indexOf(terms), end)}`;
  },
  ordered: terms.hasCreation && isByCreation,
  exact,
  selective: true,
  ofRows: false,
});

/** The columns of the index of terms behind the account. */
export const indexOf = ({ id, hasCreation }: TermTable): readonly string[] => [
  'x.term',
  ...(hasCreation ? ['x.created_at'] : []),
  `x.${id}`,
];

/** Matches a value of this type. */
export const equal =
  (column: string, type: string, right: unknown): Part<readonly string[]> =>
  (value) => [`t.${column} = ${value(right)}::${type}`];

/** Matches a range of values of this type. Null has no bound. */
export const between = (
  column: string,
  type: string,
  { from, to }: { readonly from: unknown; readonly to: unknown },
): readonly Part<readonly string[]>[] => [
  ...(from === null ? [] : [(value: AddValue) => [`t.${column} >= ${value(from)}::${type}`]]),
  ...(to === null ? [] : [(value: AddValue) => [`t.${column} <= ${value(to)}::${type}`]]),
];

/** Matches one of several values. A single value becomes `=`, so that an index also gives the order. */
export const isOneOf = (column: string, type: string, values: readonly string[]): Part<readonly string[]> =>
  values.length === 1
    ? equal(column, type, values[0])
    : (value) => [`t.${column} = ANY (${value(values)}::${type}[])`];

/** A column in the index of the order of creation. No index finds a rare value. */
export const covered =
  (column: string, type = 'text'): One<readonly string[] | boolean> =>
  (given, { isByCreation }) => ({
    where: typeof given === 'boolean' ? equal(column, type, given) : isOneOf(column, type, given),
    index: null,
    isCovered: isByCreation,
  });

/** A column with an index of its own, in the order of creation. */
export const indexed =
  (column: string, type = 'text'): One<readonly string[] | string> =>
  (given, listed) => {
    const values = typeof given === 'string' ? [given] : given;
    const where = isOneOf(column, type, values);
    return { where, index: byValue(column, type, values, listed), isCovered: false };
  };

/** A column of the index of the order of creation that also has an index of its own. Many rows may have the same value. */
export const coveredAndIndexed =
  (column: string, type: string): One<readonly string[]> =>
  (values, listed) => ({
    ...covered(column, type)(values, listed),
    index: { ...byValue(column, type, values, listed), selective: false },
  });

/** Leads along an index of a column, the moment of creation and the id. Few rows have the same id of another record. */
export const byValue = (column: string, type: string, values: readonly string[], listed: Listed): IndexScan =>
  inRows(
    values.map((each) => equal(column, type, each)),
    listed,
    [`t.${column}`, ...BY_CREATION],
    type === 'uuid',
  );

const BY_CREATION = ['t.created_at', 't.id'];

/** A column that names few rows. Its index has another column behind, or none. */
export const unique =
  (column: string, type = 'text', behind: string | null = null): One<string> =>
  (given, listed) => {
    const where = equal(column, type, given);
    const columns = [column, ...(behind === null ? [] : [behind])].map((each) => `t.${each}`);
    return { where, index: inRows([where], listed, columns), isCovered: false };
  };

/** A flag whose true rows have an index of their own, in the order of creation. */
export const flagged =
  (isTrue: string): One<boolean> =>
  (wanted, listed) => {
    const where = () => [wanted ? isTrue : `(${isTrue}) IS NOT TRUE`];
    return { where, index: wanted ? inRows([where], listed, BY_CREATION) : null, isCovered: false };
  };

/** A field whose values are terms. A term is in lower case and names no field, so the field is compared, too. */
export const identified =
  (equals: (parameter: string) => string): One<string> =>
  (text, listed) => ({
    where: (value) => [equals(`${value(text)}::text`)],
    index: inTerms((value) => `search_term(${value(text)}::text)`, listed, false),
    isCovered: false,
  });

/** The pairs of a row's metadata. A term has the beginning of a long value, so a value is found by its beginning. */
export const hasPairs = (pairs: Readonly<Record<string, string>>, listed: Listed): readonly Filter[] =>
  Object.entries(pairs).map(([key, text]) => ({
    where: (value) => [`left(t.metadata->>${value(key)}::text, 500) = ${value(text)}::text`],
    index: inTerms((value) => `metadata_term(${value(key)}, ${value(text)})`, listed, true),
    isCovered: false,
  }));
