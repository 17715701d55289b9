import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  OperationTypeNode,
  visit,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  collect,
  compositeOf,
  fragmentsOf,
  possibleTypes,
  setsOf,
  type Scope,
  type Selected,
} from '../limits/selection.ts';

/**
 * An operation in the form that the compiler accepts.
 *
 * - Each key of the answer has one field.
 * - Fragments exist only for the possible types of an interface, one each.
 * - No @skip and no @include.
 * - No literals: every argument is a generated variable with a value for each request. The compiler writes
 *   literals into program text, which would run a crafted string.
 */
export type NormalForm = {
  readonly document: DocumentNode;
  readonly hoisted: readonly Hoisted[];
};

/** Arguments of one field, passed as variables `<prefix>_<argument>`. */
export type Hoisted = {
  readonly prefix: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
};

/** The scalar of generated variables. Passes values through unchanged. */
export const PASSED_THROUGH = 'PassedThrough';

/** Larger operations are not worth compiling. */
const FIELDS_MAX = 1_000;

/** Returns the names of the variables in @skip and @include. Other values give another normal form. */
export function conditionVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: (node) => {
      for (const { value } of node.arguments ?? [])
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names].sort();
}

/**
 * Returns the normal form for these variables, or null if the compiler would run the operation wrongly.
 *
 * For example, the compiler would run the second field of a mutation after the first field failed.
 */
export function normalForm(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): NormalForm | null {
  const root = schema.getRootType(operation.operation);
  if (!root || operation.operation === OperationTypeNode.SUBSCRIPTION) return null;
  const scope: Scope = {
    schema,
    fragments: fragmentsOf(document),
    included: (node) => isIncluded(node, variables),
  };
  const building: Building = { scope, hoisted: [], fields: 0 };
  const selectionSet = rebuild(building, root, [operation.selectionSet]);
  if (
    !selectionSet ||
    (operation.operation === OperationTypeNode.MUTATION && selectionSet.selections.length > 1)
  )
    return null;
  const variableDefinitions = building.hoisted.flatMap(definitionsOf);
  const only: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: operation.operation,
    variableDefinitions,
    selectionSet,
  };
  return { document: { kind: Kind.DOCUMENT, definitions: [only] }, hoisted: building.hoisted };
}

type Building = { readonly scope: Scope; readonly hoisted: Hoisted[]; fields: number };

function rebuild(
  building: Building,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): SelectionSetNode | null {
  const selections: SelectionNode[] = [];
  for (const possible of possibleTypes(building.scope.schema, type)) {
    const fields: FieldNode[] = [];
    for (const each of collect(building.scope, possible, sets)) {
      const nodes = rebuildField(building, each);
      if (!nodes) return null;
      fields.push(...nodes);
    }
    if (isAbstractType(type)) selections.push(onType(possible.name, fields));
    else selections.push(...fields);
  }
  return { kind: Kind.SELECTION_SET, selections };
}

const onType = (name: string, selections: readonly SelectionNode[]): SelectionNode => ({
  kind: Kind.INLINE_FRAGMENT,
  typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } },
  selectionSet: { kind: Kind.SELECTION_SET, selections },
});

/** Rebuilds a field. The first occurrence of a key holds everything. The others stay for error locations. */
function rebuildField(building: Building, { key, field, nodes }: Selected): readonly FieldNode[] | null {
  building.fields += 1;
  if (building.fields > FIELDS_MAX || !isCompilable(key, field)) return null;
  const [first, ...others] = nodes;
  const type = compositeOf(field);
  const selectionSet = type ? rebuild(building, type, setsOf(nodes)) : undefined;
  if (selectionSet === null) return null;
  const plain = (node: FieldNode): FieldNode => ({
    kind: Kind.FIELD,
    name: node.name,
    ...(node.alias ? { alias: node.alias } : {}),
    ...(node.loc ? { loc: node.loc } : {}),
  });
  return [
    { ...plain(first), arguments: hoist(building, field, first), ...(selectionSet ? { selectionSet } : {}) },
    ...others.map(plain),
  ];
}

function hoist(
  { hoisted }: Building,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): readonly ArgumentNode[] {
  if (field.args.length === 0) return [];
  const prefix = `p${hoisted.length}`;
  hoisted.push({ prefix, field, node });
  return field.args.map(({ name }) => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: `${prefix}_${name}` } },
  }));
}

const definitionsOf = ({
  prefix,
  field,
}: Hoisted): NonNullable<OperationDefinitionNode['variableDefinitions']> =>
  field.args.map(({ name }) => ({
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: `${prefix}_${name}` } },
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: PASSED_THROUGH } },
  }));

/**
 * True if the compiler can handle a key.
 *
 * - The compiler joins keys with `_` and `idx<n>` into names, so keys with those parts could collide.
 * - The compiler writes keys into object literals, in which `__proto__` is no key.
 * - Introspection stays with graphql-js.
 */
function isCompilable(key: string, field: GraphQLField<unknown, unknown>): boolean {
  if (field.name === '__typename') return key !== '__proto__';
  if (field.name.startsWith('__')) return false;
  if (key === '_entities' && key === field.name) return true;
  return !key.includes('_') && !/^idx\d/.test(key);
}

const isIncluded = (node: SelectionNode, variables: Readonly<Record<string, unknown>>): boolean =>
  (node.directives?.length ?? 0) === 0 ||
  (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false);
