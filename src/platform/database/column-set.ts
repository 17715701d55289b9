import type { Db } from './db.ts';
import { toColumn } from './json-row.ts';
import type { Statement } from './statement.ts';

/**
 * A fixed set of a table's columns, under the names of their fields. A statement names the columns and answers rows as
 * arrays. A row has the fields of the set alone.
 */
export type ColumnSet<Row> = {
  /** A part of the statement's name. Each set is a statement of its own. */
  readonly name: string;
  /** Returns the columns for a SELECT from the table of this alias. */
  select(alias: string): string;
  /**
   * Reads a row in the order of `select`, from the value at `start` on. Another field of the table throws when it is read, so it
   * is never taken for null.
   */
  read(values: readonly unknown[], start?: number): Row;
};

/** The column sets of a table with two: the columns of a line of a list, and all columns. */
export type LineOrWhole = 'line' | 'whole';

/** An SQL expression in place of a column of the field's name, for the table of this alias. */
type Expressions<Row> = { readonly [Field in keyof Row & string]?: (alias: string) => string };

/**
 * Makes a column set of some fields of a table. `all` lists every field of a row. A field without an expression has a column
 * of its name.
 */
export function columnSet<Row>(
  name: string,
  fields: readonly (keyof Row & string)[],
  all: readonly (keyof Row & string)[],
  expressions: Expressions<Row> = {},
): ColumnSet<Row> {
  const Values = valuesOf(fields);
  Values.prototype = withoutFields(all.filter((field) => !fields.includes(field)));
  const texts = new Map<string, string>();
  const textOf = (alias: string): string =>
    fields.map((field) => expressions[field]?.(alias) ?? `${alias}.${toColumn(field)}`).join(', ');
  return {
    name,
    select(alias) {
      const text = texts.get(alias) ?? textOf(alias);
      texts.set(alias, text);
      return text;
    },
    // The fields of the set are all that the row has.
    read: (values, start = 0) => new Values(values, start) as Row,
  };
}

/**
 * Makes the two column sets of a table. Each field of a row is listed with the smallest set that has it. A forgotten field
 * does not compile.
 */
export function lineAndWhole<Row>(
  setOf: Readonly<Record<keyof Row & string, LineOrWhole>>,
  expressions: Expressions<Row> = {},
): Readonly<Record<LineOrWhole, ColumnSet<Row>>> {
  const whole = Object.keys(setOf) as (keyof Row & string)[];
  const line = whole.filter((field) => setOf[field] === 'line');
  return {
    line: columnSet('line', line, whole, expressions),
    whole: columnSet('whole', whole, whole, expressions),
  };
}

/** Makes objects from the values of a row. */
type Values = { new (values: readonly unknown[], start: number): object; prototype: object };

/**
 * Returns a constructor that sets these fields. Its program text names them. A loop over their names takes four times as long,
 * because the engine cannot know the shape of its objects.
 */
function valuesOf(fields: readonly string[]): Values {
  const stray = fields.find((field) => !/^[a-z][A-Za-z]*$/.test(field));
  if (stray !== undefined) throw new Error(`A column set cannot have the field ${stray}`);
  const body = fields.map((field, index) => `this.${field} = values[start + ${index}];`).join(' ');
  // oxlint-disable-next-line typescript/no-implied-eval -- the text consists of names from this program alone
  return new Function('values', 'start', body) as unknown as Values;
}

/** Runs a statement that selects the columns of a set, and reads its rows. */
export async function readRows<Row>(
  db: Pick<Db, 'query'>,
  statement: Statement,
  columns: ColumnSet<Row>,
): Promise<readonly Row[]> {
  const rows = await db.query<readonly unknown[]>({ ...statement, asArrays: true });
  return rows.map((values) => columns.read(values));
}

/**
 * Runs a statement that reads rows for each of several requests. Its first column is the number of the request, from 1. Returns
 * the rows of each request.
 */
export async function readRowsOfEach<Row>(
  db: Pick<Db, 'query'>,
  statement: Statement,
  columns: ColumnSet<Row>,
  requests: number,
): Promise<readonly (readonly Row[])[]> {
  const found = Array.from({ length: requests }, (): Row[] => []);
  const rows = await db.query<readonly unknown[]>({ ...statement, asArrays: true });
  for (const values of rows) found[Number(values[0]) - 1]?.push(columns.read(values, 1));
  return found;
}

/** A prototype on which these fields throw. */
function withoutFields(fields: readonly string[]): object {
  const refuse = (field: string): PropertyDescriptor => ({
    get: () => {
      throw new Error(`The column of ${field} was not read`);
    },
  });
  return Object.create(
    Object.prototype,
    Object.fromEntries(fields.map((field) => [field, refuse(field)])),
  ) as object;
}
