import { scalarSentences } from './scalars.ts';

/** An error as graphql-js or Apollo Server makes it, or as it is formatted. */
export type Described = {
  readonly message: string;
  readonly extensions?: { readonly [name: string]: unknown } | undefined;
  readonly originalError?: { readonly message: string } | null | undefined;
};

/**
 * The message of an error without any value that the caller sent: graphql-js repeats literals, variables and tokens,
 * which may be card numbers or secrets. Names, types and paths of the schema stay. An error with a code of our own is
 * taken as it is, because our messages hold no values.
 */
export function safeMessage(error: Described): string {
  const code = error.extensions?.['code'];
  if (code !== undefined && !FOREIGN_CODES.includes(code)) return error.message;
  if (scalarSentences.has(error.message)) return error.message;
  if (error.message.startsWith('Syntax Error')) return safeSyntax(error.message);
  const variable = /^Variable "\$(\w+)" got invalid value /.exec(error.message);
  if (variable?.[1] !== undefined) return safeVariable(variable[1], error);
  return safeReason(error.message);
}

/** Codes of errors whose messages graphql-js or Apollo Server wrote. */
const FOREIGN_CODES: readonly unknown[] = [
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
];

/** Only kinds of tokens and punctuation: a name or a string that is out of place may be anything. */
function safeSyntax(message: string): string {
  if (message.startsWith('Syntax Error: Document contains more')) {
    return 'Syntax Error: The document has too many tokens. Send a shorter document.';
  }
  const parts = /^Syntax Error: (?:Expected (?<expected>.{1,20}?), found|Unexpected) (?<found>.+)$/s.exec(
    message,
  );
  const expected = TOKEN.exec(parts?.groups?.['expected'] ?? '')?.[0];
  const found = TOKEN.exec(parts?.groups?.['found'] ?? '')?.[0];
  if (found === undefined) return 'Syntax Error: The document is not valid at this place.';
  return expected === undefined
    ? `Syntax Error: Unexpected ${found}.`
    : `Syntax Error: Expected ${expected}, found ${found}.`;
}

const TOKEN = /^(?:<SOF>|<EOF>|Name|Int|Float|String|BlockString|Comment|"(?:[!$&()=@:[\]{}|]|\.\.\.)")/;

/** The path is what the schema calls it, and it comes last, after the value. */
function safeVariable(name: string, { message, originalError }: Described): string {
  const reason = originalError?.message;
  const before =
    reason !== undefined && message.endsWith(`; ${reason}`) ? message.slice(0, -reason.length - 2) : '';
  // Only the end is looked at, because what is before it can be of any length and shape.
  const path = / at "([\w.[\]]+)"$/.exec(before.slice(-PATH_MAX))?.[1];
  const where =
    path !== undefined && path.split(/[.[]/).every((part) => isPlain(part.replace(']', ''), /^\w+$/))
      ? ` at "${path}"`
      : '';
  return `Variable "$${shown(name)}" got an invalid value${where}; ${reason === undefined ? 'it has the wrong type.' : safeReason(reason)}`;
}

const PATH_MAX = 250;

/** Beginnings of messages that end with a value, and what is said instead. Anchored, because values can look like anything. */
const WITH_VALUES: readonly (readonly [RegExp, (found: readonly string[]) => string])[] = [
  [
    /^(Int|Float|String|Boolean|ID) cannot represent (?:an? )?([a-z0-9 -]*?) ?value:? /,
    ([, type, what]) => `${type} cannot represent ${what === '' ? 'this' : `a ${what}`} value.`,
  ],
  [
    /^Enum "(\w+)" cannot represent non-(enum|string) value/,
    ([, type, what]) => `Enum "${type}" cannot represent a non-${what} value.`,
  ],
  [
    /^Value ".*" does not exist in "(\w{1,60})" enum/s,
    ([, type]) => `The value does not exist in the enum "${type}".`,
  ],
  [/^Expected value of type "([\w[\]!]+)", found /, ([, type]) => `Expected a value of type "${type}".`],
  [/^Expected type "([\w[\]!]+)"\. /, ([, type]) => `Expected a value of type "${type}".`],
  [/^Argument "(\w+)" has invalid value /, ([, name]) => `Argument "${name}" has an invalid value.`],
  [/^Unknown operation named /, () => 'The document has no operation of this name.'],
];

function safeReason(message: string): string {
  if (scalarSentences.has(message)) return message;
  for (const [pattern, say] of WITH_VALUES) {
    const found = pattern.exec(message);
    if (found) return say(found);
  }
  return safeNames(message);
}

/** What is left quotes names only; a name that may be something else is left out, and so is all that is no plain English. */
function safeNames(message: string): string {
  const segments = message.split('"');
  const english = segments.filter((_, index) => index % 2 === 0);
  if (
    segments.length % 2 === 0 ||
    !english.every((text) => /^[A-Za-z0-9 ,.;:'`()@$!?/_-]*$/.test(text) && !/\d{4}/.test(text))
  ) {
    return 'The request is not valid.';
  }
  return segments.map((text, index) => (index % 2 === 0 ? text : `"${shown(text)}"`)).join('');
}

const shown = (name: string): string => (isPlain(name, QUOTED) ? name : '…');

/** Names with types, coordinates and selections as graphql-js quotes them: `$id`, `[ID!]!`, `Query.events(first:)`, `card { ... }`. */
const QUOTED = /^[@$]?[\w.[\]!]+(?:\(\w+:\))?(?: \{ \.\.\. \})?$/;

/** The longest names of the schema are a little shorter. */
const NAME_MAX = 34;

/** Longer names and names with many digits are rather keys, numbers or ids that stand in the wrong place. */
const isPlain = (text: string, shape: RegExp): boolean =>
  shape.test(text) &&
  text.length <= 80 &&
  text.split(/\W+/).every((word) => word.length <= NAME_MAX) &&
  (text.match(/\d/g)?.length ?? 0) < 4;
