import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import type { Attempt } from './canary-attempts.ts';
import type { Secrets } from './secrets.ts';

/** An attempt with a secret in a wrong place, and its description. */
export type WrongPlace = { readonly what: string; readonly attempt: Attempt; readonly canary: Canary };

type Field = GraphQLField<unknown, unknown>;
type Input = GraphQLArgument | GraphQLInputField;

/**
 * A place in the arguments of a field, such as `input.card.number`. Its `name` comes from the schema, such as
 * `CardInput.number`.
 */
export type Place = { readonly path: string; readonly name: string; readonly type: GraphQLInputType };

/**
 * Puts a card number into every place in the arguments of every query and mutation. The number has the wrong type, is
 * too long, is an object, or stands in the document's text. Each request is refused or finds nothing, so no part of
 * the number may be stored.
 *
 * Each root field has a number of its own. A place deep in a shared input is tried with the first field that takes
 * the input.
 */
export function wrongPlaces(schema: GraphQLSchema, secrets: Secrets): readonly WrongPlace[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  const tried = new Set<string>();
  const isNew = ({ path, name }: Place): boolean => {
    const known = tried.has(name);
    tried.add(name);
    return !known || path.split('.').length < DEEP;
  };
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) => {
      const canary = { card: secrets.card(), text: secrets.text() };
      return placesIn(field)
        .filter(isNew)
        .flatMap((place) => attemptsAt(kind, field, place, canary));
    }),
  );
}

const DEEP = 3;

/** Lists every place in the arguments of a field, objects included. No path enters a type twice. */
export const placesIn = (field: Field): readonly Place[] => placesOf(field.args, field.name, '', []);

function placesOf(
  inputs: readonly Input[],
  owner: string,
  prefix: string,
  within: readonly unknown[],
): Place[] {
  return inputs.flatMap((input) => {
    const type = getNamedType(input.type);
    const path = `${prefix}${input.name}`;
    if (within.includes(type)) return [];
    const inner = isInputObjectType(type)
      ? placesOf(Object.values(type.getFields()), type.name, `${path}.`, [...within, type])
      : [];
    return [{ path, name: `${owner}.${input.name}`, type: input.type }, ...inner];
  });
}

/** The values for one root field. They name the origin of a leak. */
export type Canary = { readonly card: string; readonly text: string };

function attemptsAt(kind: string, field: Field, place: Place, canary: Canary): WrongPlace[] {
  const attempt = (form: string, value: unknown, more: Replaced = new Map()): WrongPlace => {
    const variables = valuesOf(field.args, '', new Map([...more, [place.path, value]]));
    return {
      canary,
      what: `${field.name} ${place.path}: ${form}`,
      attempt: { query: withVariables(kind, field), variables },
    };
  };
  const written = (form: string, value: Literal): WrongPlace => {
    const values = valuesOf(field.args, '', new Map([[place.path, value]]));
    return {
      canary,
      what: `${field.name} ${place.path}: ${form} in the text`,
      attempt: { query: withLiterals(kind, field, values) },
    };
  };
  const { card, text } = canary;
  const isText = getNamedType(place.type).name === 'String';
  const other = isText ? otherText(field, place.path) : null;
  return [
    attempt('number', Number(card)),
    // A map of the merchant's own texts is stored as given.
    ...(isMap(place) ? [] : [attempt('object', { [`n${card}`]: text, pan: card })]),
    attempt('list', [[card], [card]]),
    written('a number', new Literal(card)),
    written('a word', new Literal(`_${card}`)),
    ...(isText
      ? [attempt('too long', card.repeat(400))]
      : [attempt('text', card), written('a string', new Literal(`"${card}"`))]),
    // A valid text may be stored, so a second fault makes the service refuse the whole request.
    ...(isText && kind === 'query' ? [attempt('text', card)] : []),
    ...(other === null
      ? []
      : [attempt('text beside what is wrong', card, new Map([[other, text.repeat(300)]]))]),
  ];
}

const isMap = ({ type }: Place): boolean => ['StringMap', 'JSONObject'].includes(getNamedType(type).name);

/** Builds a request whose argument holds a value in one place, as a variable. Required places get valid values. */
export function attemptWith(
  kind: 'query' | 'mutation',
  field: Field,
  path: string,
  value: unknown,
): Attempt & { readonly variables: Readonly<Record<string, unknown>> } {
  const variables = valuesOf(field.args, '', new Map([[path, value]]));
  const args = field.args.filter(({ name }) => name in variables);
  return { query: withVariables(kind, { ...field, args }), variables };
}

/** Finds another text in the same argument, which can be made too long. */
function otherText(field: Field, path: string): string | null {
  const [root = ''] = path.split('.');
  const other = placesIn(field).find(
    (place) =>
      place.path !== path &&
      place.path.startsWith(`${root}.`) &&
      place.path.split('.').length === 2 &&
      String(getNullableType(place.type)) === 'String',
  );
  return other?.path ?? null;
}

/** Replaced values by path. */
type Replaced = ReadonlyMap<string, unknown>;

/** Builds values for required places and for replaced ones. */
function valuesOf(inputs: readonly Input[], prefix: string, replaced: Replaced): Record<string, unknown> {
  const wanted = (path: string): boolean =>
    [...replaced.keys()].some((key) => key === path || key.startsWith(`${path}.`));
  return Object.fromEntries(
    inputs
      .filter((input) => wanted(`${prefix}${input.name}`) || isRequired(input))
      .map((input) => [input.name, valueOf(input.type, `${prefix}${input.name}`, replaced)]),
  );
}

const isRequired = ({ type, defaultValue }: Input): boolean =>
  isNonNullType(type) && defaultValue === undefined;

function valueOf(type: GraphQLInputType, path: string, replaced: Replaced): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const given = replaced.has(path) ? replaced.get(path) : valueOf(nullable.ofType, path, replaced);
    return [given];
  }
  if (replaced.has(path)) return replaced.get(path);
  if (!isInputObjectType(nullable)) return sampleOf(nullable, path.split('.').at(-1) ?? '');
  const values = valuesOf(Object.values(nullable.getFields()), `${path}.`, replaced);
  const [first] = Object.values(nullable.getFields());
  if (!nullable.isOneOf || Object.keys(values).length > 0 || !first) return values;
  return { [first.name]: valueOf(first.type, `${path}.${first.name}`, replaced) };
}

/** Valid values for some names. Any other value may be accepted or refused. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  currency: 'USD',
  country: 'US',
  expirationDate: '12/40',
  url: 'http://127.0.0.1:9/',
  amount: 1299,
  number: '4111111111111111',
};

/** An id that belongs to no record. */
const NOBODY = '01900000-0000-7000-8000-000000000000';

function sampleOf(type: GraphQLInputType, name: string): unknown {
  if (name in SAMPLES) return SAMPLES[name];
  if (isEnumType(type)) return new Literal(type.getValues()[0]?.name ?? '');
  switch (String(type)) {
    case 'ID':
      return NOBODY;
    case 'Int':
      return 1;
    case 'Boolean':
      return false;
    case 'DateTime':
      return '2030-01-01T00:00:00Z';
    case 'String':
      return 'x';
    default:
      return {};
  }
}

/** Stands in a document without quotes. As a variable the value is a string. */
class Literal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): string {
    return this.text;
  }
}

function literalOf(value: unknown): string {
  if (value instanceof Literal) return value.text;
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${literalOf(inner)}`)
    .join(', ')} }`;
}

/** Writes a document that passes every argument as a variable. */
function withVariables(kind: string, field: Field): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind} (${declared}) { ${field.name}(${given}) ${selectionOf(kind, field)} }`;
}

/** Writes a document with the values in its text. */
function withLiterals(kind: string, field: Field, values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).map(([name, value]) => `${name}: ${literalOf(value)}`);
  return `${kind} { ${field.name}(${given.join(', ')}) ${selectionOf(kind, field)} }`;
}

function selectionOf(kind: string, { type }: Field): string {
  if (kind === 'mutation') return '{ userErrors { code message path } }';
  return 'getFields' in getNamedType(type) ? '{ __typename }' : '';
}
