import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import type { Attempt } from './canary-attempts.ts';
import type { Secrets } from './secrets.ts';

/** An attempt with a secret where it does not belong, and what it is. */
export type WrongPlace = { readonly what: string; readonly attempt: Attempt; readonly canary: Canary };

type Field = GraphQLField<unknown, unknown>;
type Input = GraphQLArgument | GraphQLInputField;

/** A place in the arguments of a field, such as `input.card.number`, and what the schema calls it, such as `CardInput.number`. */
export type Place = { readonly path: string; readonly name: string; readonly type: GraphQLInputType };

/**
 * A card number in every place of the arguments of every query and mutation: of the wrong type, too long, as an object, in
 * the text of the document. Each of them is refused or finds nothing, so that nothing of it may be kept. Each root field has
 * a number of its own. What lies deep in an input that several fields take is tried with the first of them.
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

/** Every place in the arguments of a field, objects included; no type is entered twice on the way to it. */
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

/** What one root field is given, so that a find says where it came from. */
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
    // A map of the merchant's own texts is kept as it is given.
    ...(isMap(place) ? [] : [attempt('object', { [`n${card}`]: text, pan: card })]),
    attempt('list', [[card], [card]]),
    written('a number', new Literal(card)),
    written('a word', new Literal(`_${card}`)),
    ...(isText
      ? [attempt('too long', card.repeat(400))]
      : [attempt('text', card), written('a string', new Literal(`"${card}"`))]),
    // A text may well be kept where it is asked for; so something else is wrong, and everything is refused.
    ...(isText && kind === 'query' ? [attempt('text', card)] : []),
    ...(other === null
      ? []
      : [attempt('text beside what is wrong', card, new Map([[other, text.repeat(300)]]))]),
  ];
}

const isMap = ({ type }: Place): boolean => ['StringMap', 'JSONObject'].includes(getNamedType(type).name);

/** Another text in the same argument, which can be made too long. */
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

/** By path. */
type Replaced = ReadonlyMap<string, unknown>;

/** Values for what is required, and for what is replaced. */
function valuesOf(inputs: readonly Input[], prefix: string, replaced: Replaced): Record<string, unknown> {
  const wanted = (path: string): boolean =>
    [...replaced.keys()].some((key) => key === path || key.startsWith(`${path}.`));
  return Object.fromEntries(
    inputs
      .filter((input) => wanted(`${prefix}${input.name}`) || isRequired(input))
      .map((input) => [input.name, valueOf(input.type, `${prefix}${input.name}`, replaced)]),
  );
}

// An argument and a field of an input are alike in what this asks for.
const isRequired = (input: Input): boolean => isRequiredInputField(input);

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

/** Right values of some names; what else is asked for takes anything of its type, or refuses it, which is as good. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  currency: 'USD',
  country: 'US',
  expirationDate: '12/40',
  url: 'http://127.0.0.1:9/',
  amount: 1299,
  number: '4111111111111111',
};

/** Belongs to nothing. */
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

/** Written into a document as it stands; as a variable it is a string. */
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

/** A document that takes every argument as a variable. */
function withVariables(kind: string, field: Field): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  return `${kind} (${declared}) { ${field.name}(${given}) ${selectionOf(kind, field)} }`;
}

/** A document with the arguments that have a value written into it. */
function withLiterals(kind: string, field: Field, values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).map(([name, value]) => `${name}: ${literalOf(value)}`);
  return `${kind} { ${field.name}(${given.join(', ')}) ${selectionOf(kind, field)} }`;
}

function selectionOf(kind: string, { type }: Field): string {
  if (kind === 'mutation') return '{ userErrors { code message path } }';
  return 'getFields' in getNamedType(type) ? '{ __typename }' : '';
}
