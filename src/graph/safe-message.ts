import { scalarSentences } from './scalars.ts';

/** An error of graphql-js or Apollo Server, before or after formatting. */
export type Described = {
  readonly message: string;
  readonly extensions?: { readonly [name: string]: unknown } | undefined;
  readonly originalError?: { readonly message: string } | null | undefined;
};

/**
 * Returns the message of an error without any value from the caller.
 *
 * Messages of graphql-js repeat literals, variables and tokens, which may be card numbers or secrets. Names,
 * types and paths of the schema stay. A message with our own code stays unchanged, because our messages hold no
 * values.
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

/** Keeps only token kinds and punctuation. A misplaced name or string may hold anything. */
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

/** Keeps the path, which follows the value and consists of names from the schema. */
function safeVariable(name: string, { message, originalError }: Described): string {
  const reason = originalError?.message;
  const before =
    reason !== undefined && message.endsWith(`; ${reason}`) ? message.slice(0, -reason.length - 2) : '';
  // Only the end is read, because the value before the path can have any length and shape.
  const path = / at "([\w.[\]]+)"$/.exec(before.slice(-PATH_MAX))?.[1];
  const where =
    path !== undefined && path.split(/[.[]/).every((part) => isPlain(part.replace(']', ''), /^\w+$/))
      ? ` at "${path}"`
      : '';
  return `Variable "$${shown(name)}" got an invalid value${where}; ${reason === undefined ? 'it has the wrong type.' : safeReason(reason)}`;
}

const PATH_MAX = 250;

/**
 * Beginnings of messages that end with a value, and their replacements. Anchored, because values can look like
 * anything.
 */
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

/** Keeps only quoted names and plain English. Unclear names are replaced. */
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

/**
 * Names with types, coordinates and selections as graphql-js quotes them: `$id`, `[ID!]!`,
 * `Query.events(first:)`, `card { ... }`.
 */
const QUOTED = /^[@$]?[\w.[\]!]+(?:\(\w+:\))?(?: \{ \.\.\. \})?$/;

/** The longest name of the schema is slightly shorter. */
const NAME_MAX = 34;

/** True for a text that looks like a name. Long words and words with many digits may be keys, numbers or ids. */
const isPlain = (text: string, shape: RegExp): boolean =>
  shape.test(text) &&
  text.length <= 80 &&
  text.split(/\W+/).every((word) => word.length <= NAME_MAX) &&
  (text.match(/\d/g)?.length ?? 0) < 4;
