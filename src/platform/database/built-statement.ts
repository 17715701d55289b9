import { hideAll, type Statement } from './statement.ts';

/** Adds a value to a statement and returns its parameter, such as `$3`. */
export type AddValue = (value: unknown) => string;

/** A part of a statement with its values. */
export type Part<Text = string> = (value: AddValue) => Text;

/** Builds a statement that answers arrays. Postgres plans a statement without a name for its values. */
export function built(text: Part): Statement {
  const values: unknown[] = [];
  return { name: null, text: text((each) => `$${values.push(each)}`), values, asArrays: true };
}

/** Each connection keeps the plans of so many texts at most. */
const NAMES_MAX = 100;

/** So many texts are remembered before the memory begins anew. */
const SEEN_MAX = 1_000;

/**
 * Creates a function that names a statement whose text came before. Postgres does not see the values of a named one, so that each
 * connection plans it once. The plan must be good for all values. A value without a type is text.
 *
 * Filters make many texts: when all names are given, further texts stay without one.
 */
export function createNames(prefix: string): (statement: Statement) => Statement {
  const names = new Map<string, Pick<Statement, 'name' | 'text'>>();
  const seen = new Set<string>();
  return (statement) => {
    const { text } = statement;
    const known = names.get(text);
    if (known) return { ...statement, ...known };
    if (names.size >= NAMES_MAX) return statement;
    if (!seen.has(text)) {
      if (seen.size >= SEEN_MAX) seen.clear();
      seen.add(text);
      return statement;
    }
    const named = { name: `${prefix}_${names.size + 1}`, text: hideAll(text) };
    names.set(text, named);
    return { ...statement, ...named };
  };
}
