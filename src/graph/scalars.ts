import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { GraphQLDateTime } from 'graphql-scalars';
import { isoOf } from '../kernel/moment.ts';

/** Reads a scalar's value from a variable or the document, and writes the value out. Errors never repeat a value. */
type Scalar = {
  readonly parseValue: (value: unknown) => unknown;
  readonly parseLiteral: (node: ValueNode, variables?: Variables) => unknown;
  readonly serialize: (value: unknown) => unknown;
} & Readonly<Record<string, unknown>>;

/** The coerced variables. The validator passes none. */
type Variables = Readonly<Record<string, unknown>> | null | undefined;

const SENTENCES = {
  dateTime: 'DateTime must be an ISO 8601 date-time with offset, for example 2026-01-31T09:30:00.000Z.',
  stringMap: 'StringMap must be an object whose values are strings.',
  entries: 'StringMap must have at most 50 entries.',
  keys: 'StringMap keys must have 1 to 100 characters.',
  values: 'StringMap values must have at most 500 characters.',
  control: 'StringMap must not contain control characters.',
  jsonObject: 'JSONObject must be an object of JSON values, at most 20 deep, whose numbers are finite.',
  minorUnits: 'MinorUnits must be a whole number from -(2^53 - 1) to 2^53 - 1.',
  sequenceNumber: 'SequenceNumber must be a whole number from 0 to 2^53 - 1.',
} as const;

/** The messages of a scalar about its input. No message holds a value. */
export const scalarSentences: ReadonlySet<string> = new Set(Object.values(SENTENCES));

function refuse(sentence: keyof typeof SENTENCES, node?: ValueNode): never {
  throw new GraphQLError(SENTENCES[sentence], node ? { nodes: node } : {});
}

const dateTime: Scalar = {
  parseValue: (value) => parseDateTime(value),
  parseLiteral: (node) =>
    node.kind === Kind.STRING ? parseDateTime(node.value, node) : refuse('dateTime', node),
  serialize: (value) => {
    const moment = value instanceof Date ? value : typeof value === 'string' ? new Date(value) : null;
    if (!moment || Number.isNaN(moment.getTime())) throw new Error('DateTime cannot show this value.');
    return isoOf(moment);
  },
};

function parseDateTime(value: unknown, node?: ValueNode): Date {
  if (typeof value !== 'string') return refuse('dateTime', node);
  try {
    return GraphQLDateTime.parseValue(value);
  } catch {
    // The package's error repeats the value.
    return refuse('dateTime', node);
  }
}

const ENTRIES_MAX = 50;
const KEY_MAX = 100;
const VALUE_MAX = 500;

const stringMap: Scalar = {
  parseValue: (value) => parseStringMap(value),
  parseLiteral: (node, variables) => {
    if (node.kind !== Kind.OBJECT) return refuse('stringMap', node);
    const entries = node.fields.map(
      ({ name, value }) => [name.value, literalText(value, variables)] as const,
    );
    return parseStringMap(Object.fromEntries(entries.filter(([, text]) => text !== undefined)), node);
  },
  serialize: (value) => value,
};

/** Returns undefined for a variable that is not given. The caller leaves its entry out. */
function literalText(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.VARIABLE) return variables ? variables[node.name.value] : '';
  return node.kind === Kind.STRING ? node.value : null;
}

/** Builds an object in which `__proto__` is an entry like any other. `Object.fromEntries` defines properties. */
function parseStringMap(value: unknown, node?: ValueNode): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('stringMap', node);
  const given = Object.entries(value);
  if (given.length > ENTRIES_MAX) return refuse('entries', node);
  return Object.fromEntries(given.map(([key, text]) => [parseKey(key, node), parseText(text, node)]));
}

function parseKey(key: string, node?: ValueNode): string {
  if (key.length < 1 || key.length > KEY_MAX) return refuse('keys', node);
  return hasControl(key) ? refuse('control', node) : key;
}

function parseText(text: unknown, node?: ValueNode): string {
  if (typeof text !== 'string') return refuse('stringMap', node);
  if (text.length > VALUE_MAX) return refuse('values', node);
  return hasControl(text) ? refuse('control', node) : text;
}

/** Control characters other than tabs and line ends. Postgres cannot store U+0000, and nobody means the others. */
const hasControl = (text: string): boolean => /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text);

const jsonObject: Scalar = {
  parseValue: (value) => parseJsonObject(value),
  parseLiteral: (node, variables) => parseJsonObject(literalJson(node, variables), node),
  serialize: (value) => value,
};

const JSON_DEPTH_MAX = 20;

function parseJsonObject(value: unknown, node?: ValueNode): object {
  return isPlainObject(value) && isJson(value, 1) ? value : refuse('jsonObject', node);
}

/** True for a value that JSON can hold. A variable of another scalar may be a Date. JSON text may hold an infinite number. */
function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (!Array.isArray(value) && !isPlainObject(value)) return false;
  return depth <= JSON_DEPTH_MAX && Object.values(value).every((each) => isJson(each, depth + 1));
}

/** True for a plain object. A variable of an input object type has no prototype. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the JSON of a literal. A variable that is not given leaves its entry out, and is null in a list. */
function literalJson(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables ? variables[node.name.value] : null;
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields
          .map(({ name, value }) => [name.value, literalJson(value, variables)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case Kind.LIST:
      return node.values.map((value) => literalJson(value, variables) ?? null);
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.NULL:
      return null;
    case Kind.ENUM:
      return refuse('jsonObject', node);
  }
}

const parseSequence = (value: unknown, node?: ValueNode): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse('sequenceNumber', node);

const sequenceNumber: Scalar = {
  parseValue: (value) => parseSequence(value),
  parseLiteral: (node) =>
    node.kind === Kind.INT ? parseSequence(Number(node.value), node) : refuse('sequenceNumber', node),
  serialize: (value) => parseSequence(typeof value === 'bigint' ? Number(value) : value),
};

const parseMinorUnits = (value: unknown, node?: ValueNode): number =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse('minorUnits', node);

const minorUnits: Scalar = {
  parseValue: (value) => parseMinorUnits(value),
  parseLiteral: (node) =>
    node.kind === Kind.INT ? parseMinorUnits(Number(node.value), node) : refuse('minorUnits', node),
  serialize: (value) => parseMinorUnits(value),
};

/** Every custom scalar of the SDL. */
export const scalars: Readonly<Record<string, Scalar>> = {
  DateTime: dateTime,
  StringMap: stringMap,
  JSONObject: jsonObject,
  MinorUnits: minorUnits,
  SequenceNumber: sequenceNumber,
};
