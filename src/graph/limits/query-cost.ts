import {
  getNullableType,
  isAbstractType,
  isListType,
  Kind,
  valueFromASTUntyped,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { COUNT_LIMIT_MAX } from '../../kernel/count.ts';
import { LIMITS } from './limits.ts';
import {
  collect,
  compositeOf,
  fragmentsOf,
  possibleTypes,
  setsOf,
  type Scope,
  type Selected,
} from './selection.ts';

/** The cost of an operation as far as its text shows. Fields under @skip and @include count as selected. */
export type Plan = {
  /** The depth of fields, counted up to one more than the limit. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  /** True when a list or an object in the document is longer or deeper than the limits. */
  readonly inputTooLarge: boolean;
  /** The fields that start the operation. */
  readonly rootFields: readonly Selected[];
  /** The objects of the answer, or null when the text alone asks for too many places. */
  readonly objects: Objects | null;
  /** The variables that have a default. */
  readonly defaults: Variables;
};

/** The objects that a field answers, with the objects inside each of them. The list `within` has an entry for each possible type. */
export type Objects = { readonly size: Size; readonly within: readonly (readonly Objects[])[] };

/** The number of objects: one, or a list with a size from the arguments of a field. */
export type Size =
  | 'one'
  | 'list'
  | { readonly first: Argument; readonly last: Argument }
  | { readonly countUpTo: Argument };

/** A numeric argument: as written, its default, or null. */
type Argument = ValueNode | number | null;

const plans = new WeakMap<OperationDefinitionNode, Plan>();

/** Returns the plan of a validated operation. A document keeps its plan, because hot documents come again and again. */
export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Plan {
  const known = plans.get(operation);
  if (known) return known;
  const plan = makePlan(schema, document, operation);
  plans.set(operation, plan);
  return plan;
}

/** Counts the objects that an answer can hold with these variables. */
export function countObjects(objects: Objects, variables: Variables): number {
  const within = objects.within.map((fields) =>
    fields.reduce((sum, each) => sum + countObjects(each, variables), 0),
  );
  return sizeOf(objects.size, variables) * (1 + Math.max(0, ...within));
}

export type Variables = Readonly<Record<string, unknown>>;

/** Returns the variables, with the operation's defaults for those that are not given. */
export const withDefaults = ({ defaults }: Plan, given: Variables): Variables =>
  defaults === NO_DEFAULTS ? given : { ...defaults, ...given };

const NO_DEFAULTS: Variables = {};

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  return defaults.length === 0 ? NO_DEFAULTS : Object.fromEntries(defaults);
}

/** Returns the value of an argument as JSON, or undefined for a variable that is not given. */
export const givenValue = (node: ValueNode, variables: Variables): unknown =>
  node.kind === Kind.VARIABLE ? variables[node.name.value] : valueFromASTUntyped(node, variables);

function sizeOf(size: Size, variables: Variables): number {
  if (size === 'one') return 1;
  if (size === 'list') return LIMITS.listSize;
  if ('countUpTo' in size) return countSize(size.countUpTo, variables);
  const numbers = [size.first, size.last].flatMap((each) => numberOf(each, variables) ?? []);
  // The resolver refuses a negative size later. A negative size must not make room for other lists here.
  return numbers.length > 0 ? Math.max(0, ...numbers) : LIMITS.listSize;
}

/** A count visits as many rows as its limit. Without a value of its variable, the largest limit counts. */
const countSize = (limit: Argument, variables: Variables): number =>
  Math.max(1, Math.ceil((numberOf(limit, variables) ?? COUNT_LIMIT_MAX) / LIMITS.countedPerObject));

/** Returns the number that an argument has with these variables, or null. */
function numberOf(argument: Argument, variables: Variables): number | null {
  const value =
    typeof argument === 'object' && argument !== null ? givenValue(argument, variables) : argument;
  return typeof value === 'number' ? value : null;
}

type Planning = {
  readonly scope: Scope;
  depth: number;
  places: number;
};

function makePlan(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Plan {
  const scope: Scope = { schema, fragments: fragmentsOf(document), included: () => true };
  const planning: Planning = { scope, depth: 0, places: 0 };
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}.`);
  const within = objectsWithin(planning, root, [operation.selectionSet], { depth: 1, listsOf: null });
  return {
    depth: planning.depth,
    ...readWritten(document),
    rootFields: collect(scope, root, [operation.selectionSet]),
    objects: planning.places > LIMITS.places ? null : { size: 'one', within },
    defaults: defaultsOf(operation),
  };
}

function readWritten(document: DocumentNode): Pick<Plan, 'aliases' | 'directives' | 'inputTooLarge'> {
  const found = { aliases: 0, directives: 0, inputTooLarge: false };
  let depth = 0;
  const enter = (size: number): void => {
    depth += 1;
    if (size > LIMITS.inputList || depth > LIMITS.inputDepth) found.inputTooLarge = true;
  };
  const leave = (): void => void (depth -= 1);
  visit(document, {
    Field: ({ alias }) => void (found.aliases += alias ? 1 : 0),
    Directive: () => void (found.directives += 1),
    ListValue: { enter: ({ values }) => enter(values.length), leave },
    ObjectValue: { enter: () => enter(0), leave },
  });
  return found;
}

/** The position of the walk. `listsOf` is the size of a connection for the lists right inside the connection. */
type Place = { readonly depth: number; readonly listsOf: Size | null };

function objectsWithin(
  planning: Planning,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  place: Place,
): readonly (readonly Objects[])[] {
  const types = possibleTypes(planning.scope.schema, type);
  planning.places += isAbstractType(type) ? types.length : 1;
  return types.map((possible) => {
    // Beyond a limit the walk ends, because the operation is refused in any case.
    if (planning.places > LIMITS.places || place.depth > LIMITS.depth + 1) return [];
    return collect(planning.scope, possible, sets).flatMap((selected) =>
      objectsOf(planning, selected, place),
    );
  });
}

function objectsOf(planning: Planning, { field, nodes }: Selected, place: Place): readonly Objects[] {
  // Introspection goes deep by nature. A rule of the validator stops cycles in introspection.
  if (field.name.startsWith('__') && field.name !== '__typename') return [];
  planning.depth = Math.max(planning.depth, place.depth);
  const type = compositeOf(field);
  if (!type) return [];
  const own = sizeArguments(field, nodes[0]);
  const isList = isListType(getNullableType(field.type));
  const size = isList ? (own ?? place.listsOf ?? 'list') : (countOf(field, nodes[0]) ?? 'one');
  const next: Place = { depth: place.depth + 1, listsOf: isList ? null : own };
  return [{ size, within: objectsWithin(planning, type, setsOf(nodes), next) }];
}

/** Returns the limit of a count, or null for another field. */
function countOf(field: GraphQLField<unknown, unknown>, node: FieldNode): Size | null {
  const countUpTo = field.name === 'totalCount' ? argumentOf(field, node, 'limit') : undefined;
  return countUpTo === undefined ? null : { countUpTo };
}

/** Returns a numeric argument of a field. Undefined if the field declares no such argument. */
function argumentOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  name: string,
): Argument | undefined {
  const declared = field.args.find((argument) => argument.name === name);
  if (!declared) return undefined;
  const given = node.arguments?.find((argument) => argument.name.value === name)?.value;
  return given ?? (typeof declared.defaultValue === 'number' ? declared.defaultValue : null);
}

/** Returns the `first` and `last` of a field, or null for a field without such arguments. */
function sizeArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): Size | null {
  const [first, last] = ['first', 'last'].map((name) => argumentOf(field, node, name));
  if (first === undefined && last === undefined) return null;
  return { first: first ?? null, last: last ?? null };
}
