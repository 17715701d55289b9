import {
  astFromValue,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { isObject } from '../../kernel/json.ts';
import type { InputLimits } from './input/input-limits.ts';
import { restName, wordOf, type Reword } from './names.ts';
import type { JsonSchema, SchemaParts } from './route.ts';

/** Makes the schemas of bodies and parameters from the types that check them. */
export type InputSchemas = SchemaParts & {
  readonly of: (type: GraphQLInputType) => JsonSchema;
  readonly limitsOf: InputLimits;
  /** The schema of a value that is not null. */
  readonly ofGiven: (type: GraphQLInputType) => JsonSchema;
  /** The schema of an argument or a field, with its description and default. */
  readonly ofInput: (input: GraphQLArgument | GraphQLInputField) => JsonSchema;
  /** The schemas of all types so far, by name. */
  readonly components: () => Readonly<Record<string, JsonSchema>>;
};

/** The spelling of names and words in the schemas, and the place of a type's component. */
export type Spelling = {
  readonly nameOf: (field: string) => string;
  readonly wordOf: (enumName: string, value: string) => string;
  readonly placeOf: (component: string) => string;
};

const REST: Spelling = {
  nameOf: restName,
  wordOf,
  placeOf: (component) => `#/components/schemas/${component}`,
};

/** Creates the maker of input schemas. Each input type becomes a component that others refer to. */
export function createInputSchemas(
  schema: GraphQLSchema,
  reword: Reword,
  limitsOf: InputLimits,
  spelling: Spelling = REST,
): InputSchemas {
  const components = new Map<string, JsonSchema>();
  const of = (type: GraphQLInputType): JsonSchema =>
    isNonNullType(type) ? ofNullable(type.ofType) : orNull(ofNullable(type));
  const ofNullable = (type: GraphQLInputType): JsonSchema => {
    if (isListType(type)) return { type: 'array', items: of(type.ofType), maxItems: LIST_MAX };
    const named = getNullableType(type) as GraphQLNamedType;
    if (isInputObjectType(named)) return ofObject(named);
    return isEnumType(named) ? ofEnum(named, spelling) : scalarSchema(named.name);
  };
  const ofObject = (type: GraphQLInputObjectType): JsonSchema => {
    const name = componentName(type.name);
    if (!components.has(name)) {
      // The name is taken before the members are made, because a type may hold itself.
      components.set(name, {});
      const description = type.description && reword(type.description);
      const { properties, required } = membersOf(type);
      components.set(name, {
        ...{ type: 'object', ...(description && { description }), properties },
        ...(required.length > 0 && { required }),
        additionalProperties: false,
        ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
      });
    }
    return { $ref: spelling.placeOf(name) };
  };
  const membersOf = (type: GraphQLInputObjectType) => {
    const fields = Object.values(type.getFields());
    return {
      properties: Object.fromEntries(
        fields.map((field) => [
          spelling.nameOf(field.name),
          limited(ofInput(field), limitsOf(type.name, field.name)),
        ]),
      ),
      required: fields.filter(isRequired).map(({ name }) => spelling.nameOf(name)),
    };
  };
  const ofInput = (input: GraphQLArgument | GraphQLInputField): JsonSchema =>
    withNotes(of(input.type), {
      ...noted(input, reword),
      ...defaultOf(input, spelling),
    });
  return {
    of,
    limitsOf,
    ofGiven: (type) => ofNullable(getNullableType(type)),
    ofInput,
    members: (name) => membersOf(inputTypeIn(schema, name)),
    components: () => Object.fromEntries(components),
  };
}

/** Returns an input type of the contract. Throws for a name that the contract does not have. */
export function inputTypeIn(schema: GraphQLSchema, name: string): GraphQLInputObjectType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`${name} is no input type.`);
  return type;
}

/** Adds the limits of the check to a schema that says its type itself. */
export function limited(schema: JsonSchema, { items, ...limits }: JsonSchema): JsonSchema {
  if (!('type' in schema) || 'enum' in schema) return schema;
  return {
    ...{ ...schema, ...limits },
    ...(isObject(items) && { items: limited(schema['items'] as JsonSchema, items) }),
  };
}

/** The longest list of an input. */
const LIST_MAX = 250;

/** True for an input that must be given. */
export const isRequired = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean =>
  isNonNullType(type) && defaultValue === undefined;

/** Returns the name of an input type in the description. */
export const componentName = (name: string): string => (name.endsWith('Input') ? name : `${name}Input`);

/** Returns the schema of an enum's words. */
export const ofEnum = (type: GraphQLEnumType, spelling: Spelling = REST): JsonSchema => ({
  type: 'string',
  enum: type.getValues().map(({ name }) => spelling.wordOf(type.name, name)),
});

/** Returns the schema of a scalar by its name. */
export function scalarSchema(name: string): JsonSchema {
  const known = SCALARS[name];
  if (!known) throw new Error(`The scalar ${name} has no JSON schema.`);
  return known;
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Float: { type: 'number' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  JSONObject: { type: 'object', additionalProperties: true },
  MinorUnits: { type: 'integer', format: 'int64' },
  SequenceNumber: { type: 'integer', format: 'int64' },
  String: { type: 'string' },
  StringMap: { type: 'object', additionalProperties: { type: 'string' } },
};

/** Returns a schema that accepts null too. */
export function orNull(schema: JsonSchema): JsonSchema {
  if ('$ref' in schema || 'anyOf' in schema) return { anyOf: [schema, { type: 'null' }] };
  const values = schema['enum'];
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}

/** Adds notes to a schema. Beside a reference they stay as they are: OpenAPI 3.1 allows them there. */
export const withNotes = (schema: JsonSchema, notes: JsonSchema): JsonSchema => ({ ...schema, ...notes });

type Noted = {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
};

/** Returns the notes of a field or argument: its description, and the reason and dates of a deprecation. */
export function noted({ description, deprecationReason }: Noted, reword: Reword): JsonSchema {
  const texts = [description, deprecationReason].filter((text) => typeof text === 'string' && text !== '');
  return {
    ...(texts.length > 0 && { description: reword(texts.join(' ')) }),
    ...(deprecationReason != null && { deprecated: true }),
  };
}

function defaultOf(
  { type, defaultValue }: GraphQLArgument | GraphQLInputField,
  spelling: Spelling,
): JsonSchema {
  if (defaultValue === undefined) return {};
  const named = getNullableType(type);
  const ast = astFromValue(defaultValue, type);
  if (!ast || isInputObjectType(named) || isListType(named)) return {};
  const value = valueFromASTUntyped(ast);
  return {
    default: isEnumType(named) && typeof value === 'string' ? spelling.wordOf(named.name, value) : value,
  };
}
