/** A row as `row_to_json` gives it: snake_case names, moments as ISO text. */
export type JsonRow = Readonly<Record<string, unknown>>;

/**
 * A row with the names of fields, its moments read. Column names are the fields' names in snake_case, and only moments end
 * in _at or _until.
 */
export function fromJsonRow(row: JsonRow): unknown {
  const fields: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    fields[camel(column)] = isMoment(column) && typeof value === 'string' ? new Date(value) : value;
  }
  return fields;
}

const isMoment = (column: string): boolean => column.endsWith('_at') || column.endsWith('_until');

/** merchantAccountId -> merchant_account_id. */
export const toColumn = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const names = new Map<string, string>();

/** merchant_account_id -> merchantAccountId; remembered, for the same few columns come with every row. */
function camel(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}
