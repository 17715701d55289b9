import { readFileSync } from 'node:fs';

/**
 * One statement. Each connection prepares a named statement once. Postgres plans an unnamed statement for its
 * values each time.
 */
export type Statement = {
  readonly name: string | null;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Answers each row as an array of values, in the order of the columns. */
  readonly asArrays?: true;
  /** True if the statement scans few rows whatever its values, although it may have no name. */
  readonly isShort?: true;
  /** The place of the value `actor`. The database handle fills that value in. */
  readonly actorAt?: number | null;
  /** The place of the value `traceparent`. The connection fills that value in. */
  readonly traceAt?: number | null;
};

/** Values by the parameter names in a statement's text. */
type Values = Readonly<Record<string, unknown>>;

/** A prepared statement in the form that the database receives. */
export type PreparedText = {
  readonly name: string;
  readonly text: string;
  /** The parameter names of $1, $2, and so on. */
  readonly parameters: readonly string[];
};

const texts = new Map<string, PreparedText>();

/** Lists every statement that the imported modules prepared. Tests, the simulation and the benches read this list. */
export const preparedTexts = (): readonly PreparedText[] => [...texts.values()];

/**
 * Prepares a statement with named parameters: `@amount` in the text stands for the value `amount`.
 *
 * The statement's name must be unique, because a connection prepares each text once. Throws if a value is
 * undefined. Null is a valid value.
 */
export function prepare<Given extends Values>(name: string, text: string): (values: Given) => Statement {
  const order: string[] = [];
  const numbered = text.replaceAll(PARAMETER, (_, parameter: string) => {
    if (!order.includes(parameter)) order.push(parameter);
    return `$${order.indexOf(parameter) + 1}`;
  });
  if (texts.has(name)) throw new Error(`Two statements are called ${name}`);
  texts.set(name, { name, text: numbered, parameters: order });
  const [actorAt, traceAt] = FILLED_IN.map((parameter) => order.indexOf(parameter));
  return (values) => ({
    name,
    text: numbered,
    values: order.map((parameter) =>
      FILLED_IN.includes(parameter) ? null : valueOf(name, values, parameter),
    ),
    ...(actorAt !== -1 && { actorAt }),
    ...(traceAt !== -1 && { traceAt }),
  });
}

/**
 * Prepares the statement of a file beside the caller, such as `claim-capture.sql`. The name of the file is that of the statement, as
 * in `claim_capture`.
 *
 * Comments at the top of the file stay there. Postgres gets the rest.
 */
export const prepareFile = <Given extends Values>(
  { url }: Pick<ImportMeta, 'url'>,
  file: `${string}.sql`,
): ((values: Given) => Statement) =>
  prepare(
    file.slice(0, -'.sql'.length).replaceAll('-', '_'),
    readFileSync(new URL(file, url), 'utf8').replace(HEADER, ''),
  );

const HEADER = /^(?:--[^\n]*\n)+/;

/** The parameters that a caller never gives. `acting.ts` and `db.ts` fill them in. */
const FILLED_IN = ['actor', 'traceparent'];

/** `@` also begins operators such as `@>`, which no letter follows. */
const PARAMETER = /(?<![\w@])@([a-z][a-zA-Z]*)/g;

function valueOf(name: string, values: Values, parameter: string): unknown {
  const value = values[parameter];
  if (value === undefined) throw new Error(`Statement ${name} misses @${parameter}`);
  return value;
}

/**
 * Returns the condition `column = value` in a form that only an index look-up can satisfy. The value belongs to
 * another row.
 *
 * A plain equality also allows a join over the whole index. A connection that planned for an empty table would
 * keep that join until the table's next ANALYZE.
 */
export const byKey = (column: string, value: string): string => `${column} = ANY (ARRAY[${value}])`;

/**
 * Hides a parameter from Postgres while it plans a statement, such as `@ids::uuid[]`.
 *
 * Postgres compares a plan for the values of a named statement with a plan for any values. With a list of one id, the first always
 * looks cheaper. Then Postgres plans each run anew, which takes twice as long as the look-up itself.
 */
export const hidden = (parameter: string): string => `(SELECT ${parameter})`;

/** Returns the condition that a column has one of the values of a parameter, such as `@ids::uuid[]`. Postgres plans it once. */
export const isAmong = (column: string, values: string): string => {
  // Without the type behind it, Postgres takes the hidden list for a list of rows.
  const [, type = ''] = values.split('::');
  return `${column} = ANY (${hidden(values)}::${type})`;
};

/**
 * Hides each parameter of a text, so that one plan serves all values. A parameter has its type behind it, such as `$2::int`.
 *
 * A list needs a connection for reads. On another connection, Postgres may collect and sort all rows for a page.
 */
export const hideAll = (text: string): string =>
  text.replaceAll(NUMBERED, (parameter, type: string = '') => `${hidden(parameter)}${type}`);

/** The type also stands behind a hidden parameter, where a list would become a query. */
const NUMBERED = /\$\d+(::[a-z]\w*(?:\[\])?)?/g;

const hiddenTexts = new Map<string, string>();

/**
 * Names a statement that Postgres plans once for all values, under the rules of `hideAll`. Builds the text once for each name. A
 * program has few such names.
 */
export function plannedOnce(name: string, textOf: () => string): Pick<PreparedText, 'name' | 'text'> {
  const text = hiddenTexts.get(name) ?? hideAll(textOf());
  hiddenTexts.set(name, text);
  return { name, text };
}

/** Returns the condition that joins a row by merchant account and id to the row that names it. */
export const rowOf = (row: string, other: string, id = 'id'): string =>
  `${byKey(`${row}.merchant_account_id`, `${other}.merchant_account_id`)} AND ${byKey(`${row}.id`, `${other}.${id}`)}`;
