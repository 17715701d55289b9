import { toColumn } from './json-row.ts';

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

/** Makes a column set of some fields of a table. `all` lists every field of the table. */
export function columnSet<Row>(
  name: string,
  fields: readonly (keyof Row & string)[],
  all: readonly (keyof Row & string)[],
): ColumnSet<Row> {
  const prototype = withoutFields(all.filter((field) => !fields.includes(field)));
  const columns = fields.map(toColumn);
  return {
    name,
    select: (alias) => columns.map((column) => `${alias}.${column}`).join(', '),
    read: (values, start = 0) => {
      const row = Object.create(prototype) as Record<string, unknown>;
      for (let index = 0; index < fields.length; index += 1) row[fields[index] ?? ''] = values[start + index];
      return row as Row;
    },
  };
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
