import {
  isEnumType,
  isInputObjectType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** Returns a name of the schema as a name of the REST paths: `threeDSecure` is `three_d_secure`. */
export const restName = (name: string): string =>
  RENAMED.get(name) ??
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/** Names that the paths spell differently. */
const RENAMED: ReadonlyMap<string, string> = new Map([['lastFour', 'last4']]);

/** Returns an enum value as the paths spell the value: in lower case, unless a standard has its own spelling. */
export const wordOf = (enumName: string, value: string): string => (SPELLINGS[enumName] ?? lower)(value);

const lower = (value: string): string => value.toLowerCase();
const threeDS = (value: string): string => (value.length === 1 ? value : value.toLowerCase());

const SPELLINGS: Readonly<Record<string, (value: string) => string>> = {
  CardScheme: (value) => value.toLowerCase().replaceAll('_', '-'),
  RefundTarget: (value) => value.toLowerCase().replaceAll('_', '-'),
  TaxIdKind: (value) => value.toLowerCase().replace('_', '.'),
  ThreeDSAuthentication: threeDS,
  ThreeDSChallengeResult: threeDS,
};

/** Rewrites a sentence about the schema in the words of the paths. */
export type Reword = (sentence: string) => string;

/**
 * Creates the rewriting of messages and descriptions. `operations` maps the name of an operation to its path. Rewritten are:
 *
 * - names of fields and arguments
 * - values of enums
 * - names of operations
 */
export function createReword(schema: GraphQLSchema, operations: ReadonlyMap<string, string>): Reword {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const words = new Map([...types.flatMap(wordsOf), ...operations]);
  return (sentence) => sentence.replaceAll(/\b[A-Za-z_]\w+\b/g, (word) => words.get(word) ?? word);
}

type Word = readonly [name: string, word: string];

function wordsOf(type: GraphQLNamedType): readonly Word[] {
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    return names.filter((name) => /^[A-Z_]{3,}$/.test(name)).map((name) => [name, wordOf(type.name, name)]);
  }
  if (!isObjectType(type) && !isInputObjectType(type)) return [];
  const inputs = isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  const names = [...Object.keys(type.getFields()), ...inputs.map(({ name }) => name)];
  return names.filter((name) => /[A-Z]/.test(name)).map((name) => [name, restName(name)]);
}
