/** A row from `row_to_json`: snake_case names, moments as ISO text. */
export type JsonRow = Readonly<Record<string, unknown>>;

/**
 * Returns a row with field names and parsed moments. Column names are the field names in snake_case. Only moments end
 * in _at or _until.
 */
function readRow(row: JsonRow): unknown {
  const fields: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    fields[camel(column)] = isMoment(column) && typeof value === 'string' ? new Date(value) : value;
  }
  return fields;
}

/**
 * Makes the reader of a table's rows. `Model` is the row's type in Prisma's client, and `Row` is ours. Both must have the
 * same columns, and null in the same ones. A column of ours may have a narrower type. The compiler refuses everything else.
 */
export const rowReader = <Model, Row extends SameColumns<Model, Row>>() => readRow as (row: JsonRow) => Row;

/** `Row`, if it fits `Model`. Otherwise a type that names the columns that differ. */
type SameColumns<Model, Row> = [Differing<Model, Row>] extends [never]
  ? unknown
  : { readonly columnsThatDiffer: Differing<Model, Row> };

type Differing<Model, Row> =
  | Exclude<keyof Model, keyof Row>
  | Exclude<keyof Row, keyof Model>
  | { [Key in keyof Model & keyof Row]: Fits<Model[Key], Row[Key]> extends true ? never : Key }[keyof Model &
      keyof Row];

/** Prisma's type of a JSON column is every JSON value, null as well. So each type of ours fits there. */
type Fits<Column, Field> =
  IsJson<Column> extends true
    ? true
    : [null extends Column ? true : false] extends [null extends Field ? true : false]
      ? [Field] extends [Column]
        ? true
        : false
      : false;

type IsJson<Column> = [string | number | boolean] extends [NonNullable<Column>] ? true : false;

const isMoment = (column: string): boolean => column.endsWith('_at') || column.endsWith('_until');

/** Converts merchantAccountId to merchant_account_id. */
export const toColumn = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const names = new Map<string, string>();

/** Converts merchant_account_id to merchantAccountId. Cached, because every row has the same few columns. */
export function camel(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}
