import type { Statement } from './db.ts';

/** Values by the names that a statement's text has for them. */
type Values = Readonly<Record<string, unknown>>;

/** A prepared statement as the database gets it. */
export type PreparedText = {
  readonly name: string;
  readonly text: string;
  /** The names of the values of $1, $2, and so on. */
  readonly parameters: readonly string[];
};

const texts = new Map<string, PreparedText>();

/** Lists every statement that the imported modules have prepared. The listing in test/statements is written from it. */
export const preparedTexts = (): readonly PreparedText[] => [...texts.values()];

/**
 * Prepares a statement whose parameters have names: `@amount` in the text is the value `amount`. The name of the statement
 * must be unique in the house, because a connection prepares its text once. Throws when a value that the text names is
 * missing; null must be said.
 */
export function prepare<Given extends Values>(name: string, text: string): (values: Given) => Statement {
  const order: string[] = [];
  const numbered = text.replaceAll(PARAMETER, (_, parameter: string) => {
    if (!order.includes(parameter)) order.push(parameter);
    return `$${order.indexOf(parameter) + 1}`;
  });
  if (texts.has(name)) throw new Error(`Two statements are called ${name}`);
  texts.set(name, { name, text: numbered, parameters: order });
  return (values) => ({
    name,
    text: numbered,
    values: order.map((parameter) => valueOf(name, values, parameter)),
  });
}

/** `@` is also a part of operators such as `@>`, which no letter follows. */
const PARAMETER = /(?<![\w@])@([a-z][a-zA-Z]*)/g;

function valueOf(name: string, values: Values, parameter: string): unknown {
  const value = values[parameter];
  if (value === undefined) throw new Error(`Statement ${name} misses @${parameter}`);
  return value;
}

/**
 * That a column is a value of another row of the statement, as a condition that only the look-up by an index fits. An equality
 * lets the plan join otherwise, too: by walking through the whole index, which a connection that planned while the table was
 * empty goes on doing until the table is analysed.
 */
export const byKey = (column: string, value: string): string => `${column} = ANY (ARRAY[${value}])`;

/** That a row is the one which another row names, by its merchant account and id, looked up by them. */
export const rowOf = (row: string, other: string, id = 'id'): string =>
  `${byKey(`${row}.merchant_account_id`, `${other}.merchant_account_id`)} AND ${byKey(`${row}.id`, `${other}.${id}`)}`;
