import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

export type RandomOperation = {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/**
 * Writes a valid operation with fragments, aliases, conditions, literals and variables. The same seed gives the same
 * operation.
 */
export function randomOperation(schema: GraphQLSchema, seed: number): RandomOperation {
  const writer = createWriter(schema, randomFrom(seed));
  const root = seed % 4 === 0 ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error('No root type');
  const body = writer.selection(root, 0);
  const declared = writer.declarations.length > 0 ? `(${writer.declarations.join(', ')})` : '';
  const keyword = root === schema.getMutationType() ? 'mutation' : 'query';
  return {
    text: `${keyword} Q${declared} ${body}\n${writer.fragments.join('\n')}`,
    variables: writer.variables,
  };
}

type Random = (below: number) => number;

/** mulberry32 */
function randomFrom(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function createWriter(schema: GraphQLSchema, random: Random) {
  const declarations: string[] = [];
  const variables: Record<string, unknown> = {};
  const fragments: string[] = [];
  let count = 0;

  const condition = (): string => {
    if (random(8) > 0) return '';
    const directive = random(2) === 0 ? 'skip' : 'include';
    if (random(2) === 0) return ` @${directive}(if: ${random(2) === 0})`;
    const name = declare('Boolean!', random(2) === 0);
    return ` @${directive}(if: $${name})`;
  };

  const declare = (type: string, value: unknown): string => {
    const name = `v${(count += 1)}`;
    const optional = !type.endsWith('!') && random(3) === 0;
    declarations.push(`$${name}: ${type}`);
    if (!optional) variables[name] = value;
    return name;
  };

  const selection = (type: GraphQLNamedType, depth: number): string => {
    const parts = [depth > 0 && random(4) === 0 ? '__typename' : ''];
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type as GraphQLObjectType];
    for (const possible of types) {
      const fields = fieldsOf(possible, depth);
      if (isAbstractType(type)) parts.push(`... on ${possible.name}${condition()} { ${fields} }`);
      else if (random(5) === 0)
        parts.push(`...${fragment(possible, fields)}${condition()} ${fieldsOf(possible, depth)}`);
      else if (random(6) === 0) parts.push(`... ${condition()} { ${fields} }`, fieldsOf(possible, depth));
      else parts.push(fields);
    }
    return `{ ${parts.join(' ')} }`;
  };

  const fragment = (type: GraphQLObjectType, fields: string): string => {
    const name = `F${(count += 1)}`;
    fragments.push(`fragment ${name} on ${type.name} { ${fields} }`);
    return name;
  };

  const fieldsOf = (type: GraphQLObjectType, depth: number): string => {
    const fields = Object.values(type.getFields());
    const wanted = 1 + random(Math.min(4, fields.length));
    const chosen = Array.from({ length: wanted }, () => fields[random(fields.length)]).filter(
      (each) => each !== undefined,
    );
    const written = chosen.map((field) => writeField(field, depth)).filter(Boolean);
    return written.length > 0 ? written.join(' ') : '__typename';
  };

  /** Each field with arguments gets a separate alias, so that two of them never conflict. */
  const writeField = (field: GraphQLField<unknown, unknown>, depth: number): string => {
    const type = getNamedType(field.type);
    const composite = isObjectType(type) || isAbstractType(type);
    if (composite && depth > 3) return '';
    const given = field.args.filter((each) => isNonNullType(each.type) || random(2) === 0).map(writeArgument);
    const list = given.length > 0 ? `(${given.join(', ')})` : '';
    const alias = field.args.length > 0 || random(6) === 0 ? `a${(count += 1)}: ` : '';
    return `${alias}${field.name}${list}${condition()}${composite ? ` ${selection(type, depth + 1)}` : ''}`;
  };

  const writeArgument = (argument: GraphQLArgument | GraphQLInputField): string => {
    if (random(3) === 0)
      return `${argument.name}: $${declare(String(argument.type), jsonOf(argument.type, random, 0))}`;
    return `${argument.name}: ${literal(jsonOf(argument.type, random, 0), argument.type)}`;
  };

  return { selection, declarations, variables, fragments };
}

function jsonOf(type: GraphQLInputType, random: Random, depth: number): unknown {
  if (isNonNullType(type)) return jsonOf(type.ofType, random, depth);
  if (isListType(type))
    return Array.from({ length: random(3) }, () => jsonOf(type.ofType, random, depth + 1));
  if (isEnumType(type)) return type.getValues()[random(type.getValues().length)]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    if (type.isOneOf) return oneOf(fields[random(fields.length)], random, depth);
    const given = fields.filter((field) => depth < 2 && !isListType(field.type) && random(2) === 0);
    return Object.fromEntries(given.map((field) => [field.name, jsonOf(field.type, random, depth + 1)]));
  }
  return SCALARS[type.name]?.[random(2)];
}

const oneOf = (field: GraphQLInputField | undefined, random: Random, depth: number): unknown =>
  field ? { [field.name]: jsonOf(field.type, random, depth + 1) } : {};

const SCALARS: Readonly<Record<string, readonly unknown[]>> = {
  ID: ['s1', 'o2'],
  String: ['now', 'a "quoted" \\ text\u2028'],
  Int: [1, 2],
  Float: [0.5, 3],
  Boolean: [true, false],
  DateTime: ['2026-01-02T03:04:05Z', '2026-05-05T00:00:00.123+02:00'],
  StringMap: [{ a: 'b' }, {}],
  JSONObject: [{ a: [1.5, null, { b: true }] }, {}],
};

function literal(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(value, type.ofType);
  if (isListType(type))
    return `[${(value as unknown[]).map((each) => literal(each, type.ofType)).join(', ')}]`;
  if (isEnumType(type)) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields: Readonly<Record<string, GraphQLInputField>> = isInputObjectType(type) ? type.getFields() : {};
  const entries = Object.entries(value).map(([name, each]) => {
    const field = fields[name];
    return `${name}: ${field ? literal(each, field.type) : JSON.stringify(each)}`;
  });
  return `{${entries.join(', ')}}`;
}
