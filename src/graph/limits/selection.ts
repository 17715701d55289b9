import {
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type FieldNode,
  type FragmentDefinitionNode,
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The data to resolve the fragments of a validated document. */
export type Scope = {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** True if a selection is included. False if @skip or @include removes the selection. */
  readonly included: (node: SelectionNode) => boolean;
};

/** One key of an answer, with its field and every place of the document that requests the key. */
export type Selected = {
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
};

/** Returns the fragments of a document by name. */
export const fragmentsOf = (document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );

/**
 * Returns the selected fields of an object type, merged as the executor merges them.
 *
 * Each fragment counts once per selection, so nested fragments cost no more than their text.
 */
export function collect(
  scope: Scope,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): readonly Selected[] {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>();
  const seen = new Set<string>();
  const walk = (set: SelectionSetNode): void => {
    for (const node of set.selections) {
      if (!scope.included(node)) continue;
      if (node.kind === Kind.FIELD) {
        const key = keyOf(node);
        const nodes = found.get(key);
        if (nodes) nodes.push(node);
        else found.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(scope, node.typeCondition?.name.value, type)) walk(node.selectionSet);
      } else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const fragment = scope.fragments.get(node.name.value);
        if (fragment && applies(scope, fragment.typeCondition.name.value, type)) walk(fragment.selectionSet);
      }
    }
  };
  sets.forEach(walk);
  return [...found].flatMap(([key, nodes]) => {
    const field = fieldOf(type, nodes[0].name.value);
    return field ? [{ key, field, nodes }] : [];
  });
}

/** Returns the key of a field in the answer. */
export const keyOf = (node: FieldNode): string => node.alias?.value ?? node.name.value;

/** Returns the selections of all places that request one key. */
export const setsOf = (nodes: readonly FieldNode[]): readonly SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));

/** Returns the object types that a composite type can have. */
export const possibleTypes = (
  schema: GraphQLSchema,
  type: GraphQLCompositeType,
): readonly GraphQLObjectType[] => (isAbstractType(type) ? schema.getPossibleTypes(type) : [type]);

/** Returns the object, interface or union of a field. Null for scalars and enums. */
export function compositeOf(field: GraphQLField<unknown, unknown>): GraphQLCompositeType | null {
  const type = getNamedType(field.type);
  return isObjectType(type) || isAbstractType(type) ? type : null;
}

function applies({ schema }: Scope, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const wanted = schema.getType(condition);
  return isAbstractType(wanted) && schema.isSubType(wanted, type);
}

const META_FIELDS = [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef];

const fieldOf = (type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined =>
  type.getFields()[name] ?? META_FIELDS.find((field) => field.name === name);
