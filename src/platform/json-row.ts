/** A row from `row_to_json`: snake_case names, moments as ISO text. */
export type JsonRow = Readonly<Record<string, unknown>>;

/**
 * Returns a row with field names and parsed moments. Column names are the field names in snake_case. Only moments end
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

/** Converts merchantAccountId to merchant_account_id. */
export const toColumn = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const names = new Map<string, string>();

/** Converts merchant_account_id to merchantAccountId. Cached, because every row has the same few columns. */
function camel(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}
