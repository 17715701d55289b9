import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  isUnionType,
} from 'graphql';

const SCALARS = {
  ...{ ID: 'string', String: 'string', Int: 'number', Float: 'number', Boolean: 'boolean' },
  ...{ DateTime: 'string', SequenceNumber: 'number', MinorUnits: 'number' },
  StringMap: 'Readonly<Record<string, string>>',
  JSONObject: 'Readonly<Record<string, unknown>>',
};

/**
 * A plugin of GraphQL Code Generator for src/client/operations/. It writes the types of the whole schema. It also writes SHAPE, the
 * part of the schema that a document needs. Refuses a scalar without an entry above.
 */
export const plugin = (schema) => {
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('_'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    ...types.map((type) => typeOf(schema, type)).filter(Boolean),
    `/** For each field with arguments or with a selection: its type, and the types of its arguments. */`,
    `export const SHAPE: Shape = ${JSON.stringify(shapeOf(types))};`,
    `/** One entry for each type, and one for each of its fields. */`,
    'export type Shape = Readonly<Record<string, Readonly<Record<string, readonly [type: string, args?: Readonly<Record<string, string>>]>>>>;',
  ].join('\n\n');
};

function typeOf(schema, type) {
  const open = `${doc(type)}export type ${type.name} = `;
  if (isScalarType(type)) return aliasOf(type, open);
  if (isEnumType(type))
    return `${open}${type
      .getValues()
      .map(({ name }) => `'${name}'`)
      .join(' | ')};`;
  if (isInputObjectType(type)) return `${open}${inputOf(type)};`;
  if (isObjectType(type))
    return `${doc(type)}export interface ${type.name} {\n  readonly __typename: '${type.name}';\n${members(type, fieldOf)}}`;
  const possible = schema.getPossibleTypes(type).map(({ name }) => name);
  return `${open}${possible.sort().join(' | ')};`;
}

const BUILT_IN = new Set(['ID', 'String', 'Int', 'Float', 'Boolean']);

function aliasOf({ name }, open) {
  if (BUILT_IN.has(name)) return null;
  if (!SCALARS[name]) throw new Error(`.config/client-schema.mjs has no type for the scalar ${name}.`);
  return `${open}${SCALARS[name]};`;
}

/** An input of which exactly one field is given becomes a union. */
function inputOf(type) {
  if (!type.isOneOf) return `{\n${members(type, argumentOf)}}`;
  const each = Object.values(type.getFields());
  return each
    .map(
      (field) =>
        `{ ${[field, ...each.filter((other) => other !== field)]
          .map((other) =>
            other === field
              ? `readonly ${field.name}: ${tsOf(field.type, '')}`
              : `readonly ${other.name}?: undefined`,
          )
          .join('; ')} }`,
    )
    .join(' | ');
}

const members = (type, line) =>
  Object.values(type.getFields())
    .map((field) => `${doc(field, '  ')}  readonly ${line(field)};\n`)
    .join('');

/** An optional input may also be undefined, so that a caller passes on what it may not have. */
const argumentOf = (arg) =>
  isRequiredInputField(arg)
    ? `${arg.name}: ${tsOf(arg.type)}`
    : `${arg.name}?: ${tsOf(arg.type)} | undefined`;

function fieldOf({ name, type, args }) {
  const answer = tsOf(type);
  if (args.length === 0) return `${name}: ${answer}`;
  const given = args.map((arg) => `${doc(arg, '    ')}    readonly ${argumentOf(arg)};\n`).join('');
  return `${name}: (args: {\n${given}  }) => ${answer}`;
}

function tsOf(type, suffix = ' | null') {
  if (isNonNullType(type)) return tsOf(type.ofType, '');
  const of = isListType(type) ? `readonly (${tsOf(type.ofType)})[]` : nameOf(type);
  return `${of}${suffix}`;
}

const nameOf = ({ name }) => (BUILT_IN.has(name) ? SCALARS[name] : name);

function doc({ description, deprecationReason }, indent = '') {
  const lines = [
    ...(description ?? '').split('\n'),
    ...(deprecationReason ? [`@deprecated ${deprecationReason}`] : []),
  ].filter((line, index) => line || index > 0);
  if (lines.length === 0) return '';
  return `${indent}/** ${lines.join(`\n${indent} * `).replaceAll('*/', '*\\/').replace(/ +$/gm, '')} */\n`;
}

function shapeOf(types) {
  const shape = {};
  for (const type of types.filter((each) => isObjectType(each) || isInterfaceType(each))) {
    const fields = Object.values(type.getFields())
      .filter((field) => field.args.length > 0 || isCompositeType(getNamedType(field.type)))
      .map(({ name, type: of, args }) => [name, placeOf(of, args)]);
    if (fields.length > 0) shape[type.name] = Object.fromEntries(fields);
  }
  for (const type of types.filter(isUnionType)) shape[type.name] = {};
  return shape;
}

const placeOf = (type, args) => [
  isCompositeType(getNamedType(type)) ? getNamedType(type).name : '',
  ...(args.length > 0 ? [Object.fromEntries(args.map((arg) => [arg.name, String(arg.type)]))] : []),
];
