import {
  getNullableType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
} from 'graphql';
import { scalarSentences } from '../../../graph/scalars.ts';
import { isRequired } from '../json-schema.ts';
import { restName, wordOf } from '../names.ts';

/** A value that its type refuses. No message holds a value. */
export type Issue = {
  /** The place in the argument, by the names of the paths. */
  readonly path: readonly string[];
  readonly message: string;
  /** The kind of the error, for example `value_error.missing`. */
  readonly type: string;
};

/** Reads JSON of a request as a value of an input type. Adds everything that the type refuses to `issues`. */
export function readValue(
  type: GraphQLInputType,
  value: unknown,
  path: readonly string[],
  issues: Issue[],
): unknown {
  if (value === null || value === undefined) {
    if (!isNonNullType(type)) return value;
    issues.push({ path, message: 'Must be given, and must not be null.', type: 'value_error.missing' });
    return undefined;
  }
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    if (!Array.isArray(value)) return refuse(issues, path, 'Must be a list.', 'type_error.list');
    return value.map((each, index) => readValue(nullable.ofType, each, [...path, String(index)], issues));
  }
  if (isInputObjectType(nullable)) return readObject(nullable, value, path, issues);
  return isEnumType(nullable)
    ? readEnum(nullable, value, path, issues)
    : readScalar(nullable, value, path, issues);
}

function refuse(issues: Issue[], path: readonly string[], message: string, type: string): undefined {
  issues.push({ path, message, type });
  return undefined;
}

function readObject(
  type: GraphQLInputObjectType,
  value: unknown,
  path: readonly string[],
  issues: Issue[],
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(issues, path, 'Must be an object.', 'type_error.dict');
  const fields = new Map(Object.values(type.getFields()).map((field) => [restName(field.name), field]));
  const given = new Map(Object.entries(value));
  // An unknown name may be a secret at a wrong place, so no message repeats the name.
  if ([...given.keys()].some((name) => !fields.has(name)))
    refuse(issues, path, `Has an unknown member. The members are ${[...fields.keys()].join(', ')}.`, UNKNOWN);
  const read: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    if (!given.has(name) && !isRequired(field)) continue;
    read[field.name] = readValue(field.type, given.get(name), [...path, name], issues);
  }
  if (type.isOneOf && Object.values(read).filter((each) => each != null).length !== 1)
    refuse(issues, path, `Give exactly one of ${[...fields.keys()].join(', ')}.`, 'value_error');
  return read;
}

const UNKNOWN = 'value_error.extra';

function readEnum(type: GraphQLEnumType, value: unknown, path: readonly string[], issues: Issue[]): unknown {
  const words = type.getValues().map(({ name }) => [wordOf(type.name, name), name] as const);
  const found = words.find(([word]) => word === value);
  if (found) return found[1];
  const message = `Must be one of ${words.map(([word]) => word).join(', ')}.`;
  return refuse(issues, path, message, 'type_error.enum');
}

function readScalar(
  type: GraphQLScalarType,
  value: unknown,
  path: readonly string[],
  issues: Issue[],
): unknown {
  try {
    // ID would take a number too.
    if (type.name === 'ID' && typeof value !== 'string') throw new GraphQLError('');
    type.parseValue(value);
    return value;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const message = scalarSentences.has(error.message)
      ? error.message
      : (EXPECTED[type.name] ?? 'Is not valid.');
    return refuse(issues, path, message, `type_error.${type.name.toLowerCase()}`);
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  Boolean: 'Must be true or false.',
  Float: 'Must be a number.',
  ID: 'Must be a text.',
  Int: 'Must be a whole number of 32 bits.',
  String: 'Must be a text.',
};
