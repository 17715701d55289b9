import {
  Kind,
  parse,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type ObjectTypeDefinitionNode,
  type ObjectTypeExtensionNode,
  type TypeNode,
} from 'graphql';
import type { ScopeGroups } from './scopes.ts';
import type { Subgraph } from './subgraph.ts';

/** A key of an entity: one field, or several fields together. */
export type Key = { readonly fields: readonly string[]; readonly resolvable: boolean };

/** An object type as one subgraph declares it, its extensions included. */
export type ObjectModel = {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldDefinitionNode>;
  /** Empty when the type is not an entity. */
  readonly keys: readonly Key[];
};

/** A subgraph as its SDL and its resolvers declare it. */
export type SubgraphModel = Subgraph & {
  readonly document: DocumentNode;
  readonly objects: ReadonlyMap<string, ObjectModel>;
  /** Maps each interface and union to its object types. */
  readonly abstracts: ReadonlyMap<string, readonly string[]>;
  /** Maps `Type.field` to the scopes that the field requires. */
  readonly scopes: ReadonlyMap<string, ScopeGroups>;
  /** Maps each guarded object type to the scopes that every field on the way to the type requires. */
  readonly guards: ReadonlyMap<string, ScopeGroups>;
};

/** The types whose fields start operations. */
export const ROOT_TYPES: readonly string[] = ['Query', 'Mutation', 'Subscription'];

/** Reads a subgraph's SDL. Throws on a syntax error. `refuseOutsideSubset` finds the parts that the graph cannot serve. */
export function readModel(subgraph: Subgraph, sdl: string): SubgraphModel {
  const document = parse(sdl, { noLocation: true });
  const objects = readObjects(document);
  return {
    ...subgraph,
    document,
    objects,
    abstracts: readAbstracts(document),
    scopes: readScopes(objects),
    guards: readGuards(document),
  };
}

/** Returns the fields of all keys that an entity has in one subgraph. */
export const keyFields = ({ keys }: ObjectModel): ReadonlySet<string> =>
  new Set(keys.flatMap(({ fields }) => fields));

/** True when a subgraph only refers to an entity of another subgraph. Such an entity has nothing but its key. */
export const isStub = (object: ObjectModel): boolean =>
  object.keys.length > 0 && object.keys.every((key) => !key.resolvable);

/** Returns the named type inside lists and non-nulls. */
export const namedTypeOf = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);

/** Returns the value of a directive's argument, or undefined without one. */
export const argumentOf = (directive: ConstDirectiveNode, name: string) =>
  directive.arguments?.find((argument) => argument.name.value === name)?.value;

type ObjectNode = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;

/** True for the definition or an extension of an object type. */
export const isObjectNode = (node: { readonly kind: Kind }): node is ObjectNode =>
  node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION;

function readObjects(document: DocumentNode): ReadonlyMap<string, ObjectModel> {
  const objects = new Map<string, ObjectModel>();
  for (const node of document.definitions.filter(isObjectNode)) {
    const before = objects.get(node.name.value);
    const fields = new Map([...(before?.fields ?? [])]);
    for (const field of node.fields ?? []) fields.set(field.name.value, field);
    objects.set(node.name.value, {
      name: node.name.value,
      fields,
      keys: [...(before?.keys ?? []), ...(node.directives ?? []).filter(named('key')).map(readKey)],
    });
  }
  return objects;
}

function readKey(directive: ConstDirectiveNode): Key {
  const fields = argumentOf(directive, 'fields');
  const resolvable = argumentOf(directive, 'resolvable');
  return {
    fields: fields?.kind === Kind.STRING ? fields.value.split(/[\s,]+/).filter(Boolean) : [],
    resolvable: !(resolvable?.kind === Kind.BOOLEAN && !resolvable.value),
  };
}

function readAbstracts(document: DocumentNode): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  const add = (abstract: string, object: string) =>
    members.set(abstract, [...(members.get(abstract) ?? []), object]);
  for (const node of document.definitions) {
    if (isObjectNode(node)) node.interfaces?.forEach((each) => add(each.name.value, node.name.value));
    if (node.kind !== Kind.UNION_TYPE_DEFINITION && node.kind !== Kind.UNION_TYPE_EXTENSION) continue;
    node.types?.forEach((each) => add(node.name.value, each.name.value));
  }
  return members;
}

function readScopes(objects: ReadonlyMap<string, ObjectModel>): ReadonlyMap<string, ScopeGroups> {
  const scopes = new Map<string, ScopeGroups>();
  for (const { name, fields } of objects.values()) {
    for (const field of fields.values()) {
      const directive = field.directives?.find(named('requiresScopes'));
      if (directive) scopes.set(`${name}.${field.name.value}`, readGroups(directive));
    }
  }
  return scopes;
}

function readGuards(document: DocumentNode): ReadonlyMap<string, ScopeGroups> {
  const guards = new Map<string, ScopeGroups>();
  for (const node of document.definitions.filter(isObjectNode)) {
    const directive = node.directives?.find(named('requiresScopes'));
    if (directive) guards.set(node.name.value, readGroups(directive));
  }
  return guards;
}

function readGroups(directive: ConstDirectiveNode): ScopeGroups {
  const given = argumentOf(directive, 'scopes');
  if (given?.kind !== Kind.LIST) return [];
  return given.values.map((group) =>
    group.kind === Kind.LIST
      ? group.values.flatMap((scope) => (scope.kind === Kind.STRING ? [scope.value] : []))
      : [],
  );
}

const named = (name: string) => (directive: ConstDirectiveNode) => directive.name.value === name;
