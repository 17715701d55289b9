import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  print,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';

/**
 * The selected part of a payload.
 *
 * - `all`: every field without arguments. Entities nest at most twice, because answers have a limit.
 * - `record`: the stored part. The record of a key omits entities inside entities, because each read loads them anew.
 */
export type Extent = 'all' | 'record';

/** Writes a document that runs a mutation as `payload`, with variables named like its arguments. */
export function documentOf(schema: GraphQLSchema, mutation: string, extent: Extent): string {
  const field = mutationOf(schema, mutation);
  return `mutation ${variablesOf(field)} { payload: ${callOf(field)} ${selectionOf(field, extent, [])} }`;
}

/** Writes a document that runs a mutation twice with the same arguments. */
export function twiceOf(schema: GraphQLSchema, mutation: string): string {
  const field = mutationOf(schema, mutation);
  const call = `${callOf(field)} { replayed }`;
  return `mutation ${variablesOf(field)} { one: ${call} two: ${call} }`;
}

/**
 * Writes a document that reads a field of the query type, with the fields of a record. Its variables are named like
 * the arguments.
 */
export function readingOf(schema: GraphQLSchema, name: string): string {
  const field = schema.getQueryType()?.getFields()[name];
  if (!field) throw new Error(`The schema has no query ${name}.`);
  return `query ${variablesOf(field)} { ${callOf(field)} ${selectionOf(field, 'record', [])} }`;
}

type Field = GraphQLField<unknown, unknown>;

function mutationOf(schema: GraphQLSchema, name: string): Field {
  const field = schema.getMutationType()?.getFields()[name];
  if (!field) throw new Error(`The schema has no mutation ${name}.`);
  return field;
}

const callOf = ({ name, args }: Field): string =>
  `${name}(${args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')})`;

/** Declares the arguments' defaults, so that a variable may be omitted like its argument. */
const variablesOf = ({ args }: Field): string => `(${args.map(variableOf).join(', ')})`;

function variableOf({ name, astNode }: Field['args'][number]): string {
  if (!astNode) throw new Error(`The argument ${name} comes from no text.`);
  const { description: _, ...plain } = astNode;
  return `$${print({ ...plain, directives: [] })}`;
}

/**
 * Writes a selection. `within` lists the types on the path, and no type is entered twice. A record that the payload has itself
 * shows its plain fields elsewhere, and its id alone in a list. Empty for a scalar field.
 */
function selectionOf(field: Field, extent: Extent, within: readonly GraphQLCompositeType[]): string {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return '';
  const one = NEVER_THERE[type.name];
  if (one !== undefined) return `{ ${one} }`;
  const fields = fieldsOf(type).flatMap((each) => {
    const inner = getNamedType(each.type);
    if (each.args.length > 0 || [...within, type].some((entered) => entered === inner)) return [];
    // A list inside lists could hold more objects than an answer.
    if (each.name === 'splits' && within.length > 2) return [];
    const isDeep = [...within, type].filter(isEntity).length > 1;
    if (isEntity(inner) && (extent === 'record' ? isEntity(type) : isDeep)) return [];
    if (within[0] && isCompositeType(inner) && isEntity(inner) && typesIn(within[0]).has(inner))
      return [
        `${each.name} { ${(type.name === NEVER_OF_TOKENS || isList(field) ? ['id'] : plainFieldsOf(inner)).join(' ')} }`,
      ];
    return [`${each.name} ${selectionOf(each, extent, [...within, type])}`];
  });
  // A document has a limited number of tokens, so the name is asked only of a type that varies.
  const name = isObjectType(type) && fields.length > 0 ? '' : '__typename';
  return `{ ${name} ${fields.join(' ')} ${type.name === 'UserError' ? REFUSALS : ''} }`;
}

/** A token never has such a record, so the records of one are asked for their ids alone. */
const NEVER_OF_TOKENS = 'RefundApproval';

/** No payment here has rules, open circuits or plans of later tries, and no simulation ends. Such a value is asked for one field. */
const NEVER_THERE: Readonly<Record<string, string>> = {
  RoutingDecision: 'rule',
  RetryPlan: 'status',
  CircuitEffect: 'triedAgain { id }',
  RoutingSimulationResult: 'payments',
};

const REFUSALS =
  '... on IdempotencyKeyReused { differingPaths } ... on IdempotencyInProgress { retryAfterMs }';

const isList = ({ type }: Field): boolean => isListType(getNullableType(type));

const fieldsOf = (type: GraphQLCompositeType): readonly Field[] =>
  'getFields' in type ? Object.values(type.getFields()) : [];

const typesIn = (payload: GraphQLCompositeType): ReadonlySet<unknown> =>
  new Set(fieldsOf(payload).map(({ type }) => getNamedType(type)));

const plainFieldsOf = (type: GraphQLCompositeType): readonly string[] =>
  fieldsOf(type).flatMap(({ name, args, type: of }) =>
    args.length > 0 || isCompositeType(getNamedType(of)) ? [] : [name],
  );

const isEntity = (type: unknown): boolean => isObjectType(type) && 'id' in type.getFields();
