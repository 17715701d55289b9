import {
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isCompositeType,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { GraphContext } from '../context.ts';
import { missingScope, unreadableAnswer } from '../errors.ts';
import { collect, type Scope, type Selected } from './selection.ts';
import type { RefuseUnreadable } from '../federation/enforce-scopes.ts';
import type { Entity } from '../federation/entities.ts';
import { isGranted, type ScopeGroups } from '../federation/scopes.ts';
import { namedTypeOf, type SubgraphModel } from '../federation/subgraph-model.ts';

/**
 * Creates the check that each mutation runs first. The check throws FORBIDDEN if the document selects a field that the token
 * may not read. Nothing is done then, because a caller must learn the outcome of a payment.
 */
export function createMutationScopes(rules: ScopeRules): RefuseUnreadable {
  const passed = new WeakMap<GraphContext, OperationDefinitionNode>();
  const requiredOf = requirements(rules);
  return (context, info) => {
    if (passed.get(context) === info.operation) return;
    for (const { path, groups } of requiredOf(info)) {
      if (isGranted(context, groups)) continue;
      throw path.join() === info.fieldName ? missingScope(groups) : unreadableAnswer(path, groups);
    }
    passed.set(context, info.operation);
  };
}

/** The scopes that a field requires. */
export type ScopeRule = {
  readonly always: readonly ScopeGroups[];
  /** The scopes for more than the key of an entity of another subgraph. */
  readonly beyondKey: ScopeGroups;
  readonly key: ReadonlySet<string>;
};

/** Maps `Type.field` to the scopes that the field requires when it runs. */
export type ScopeRules = ReadonlyMap<string, ScopeRule>;

/** Returns the scopes of every field, as the subgraphs declare them. */
export function scopeRulesOf(
  models: readonly SubgraphModel[],
  entities: ReadonlyMap<string, Entity>,
): ScopeRules {
  const rules = new Map<string, ScopeRule>();
  for (const { name: subgraph, objects, scopes } of models) {
    for (const { name: type, fields } of objects.values()) {
      for (const [name, field] of fields) {
        const path = `${type}.${name}`;
        const [from, to] = [entities.get(type), entities.get(namedTypeOf(field.type))];
        const isAdded = from !== undefined && from.home !== subgraph && from.ownerOf.get(name) === subgraph;
        const isForeign = to !== undefined && to.home !== subgraph;
        const before = rules.get(path)?.always ?? [];
        rules.set(path, {
          always: [...before, ...present(scopes.get(path)), ...present(isAdded ? from.scope : undefined)],
          beyondKey: isForeign ? to.scope : [],
          key: to?.keysIn.get(subgraph)?.all ?? new Set(),
        });
      }
    }
  }
  return rules;
}

const present = (groups: ScopeGroups | undefined): readonly ScopeGroups[] => (groups ? [groups] : []);

type Required = { readonly path: readonly string[]; readonly groups: ScopeGroups };

/**
 * Returns the scopes of an operation. Remembers those of an operation without directives, because no variable changes them. The
 * walk took a twentieth of a payment's processor time.
 */
function requirements(rules: ScopeRules): (info: GraphQLResolveInfo) => readonly Required[] {
  const known = new WeakMap<OperationDefinitionNode, readonly Required[]>();
  return (info) => {
    const remembered = known.get(info.operation);
    if (remembered) return remembered;
    let directives = 0;
    const included = (node: SelectionNode): boolean => {
      if (!node.directives?.length) return true;
      directives += node.directives.length;
      return isIncluded(node, info);
    };
    const required = [...requiredBy(info, rules, included)];
    if (directives === 0) known.set(info.operation, required);
    return required;
  };
}

/** Yields the scopes of every field that the operation selects, with the names of the fields on the way. */
function requiredBy(
  info: GraphQLResolveInfo,
  rules: ScopeRules,
  included: Scope['included'],
): Iterable<Required> {
  const scope: Scope = {
    schema: info.schema,
    fragments: new Map(Object.entries(info.fragments)),
    included,
  };
  function* below(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    path: readonly string[],
  ): Generator<Required> {
    for (const selected of collect(scope, type, sets)) yield* inField(type, selected, path);
  }
  function* inField(
    { name: parent }: GraphQLObjectType,
    { field, nodes }: Selected,
    before: readonly string[],
  ): Generator<Required> {
    const path = [...before, field.name];
    const rule = rules.get(`${parent}.${field.name}`);
    for (const groups of rule?.always ?? []) yield { path, groups };
    const named = getNamedType(field.type);
    if (!isCompositeType(named)) return;
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    for (const type of objectTypes(named)) {
      const beyond = rule?.beyondKey.length && collect(scope, type, sets).some(isBeyond(rule.key));
      if (rule && beyond) yield { path, groups: rule.beyondKey };
      yield* below(type, sets, path);
    }
  }
  const objectTypes = (type: GraphQLCompositeType): readonly GraphQLObjectType[] =>
    isAbstractType(type) ? info.schema.getPossibleTypes(type) : [type];
  const root = info.parentType;
  return below(root, [info.operation.selectionSet], []);
}

const isBeyond =
  (key: ReadonlySet<string>) =>
  ({ field }: Selected): boolean =>
    !key.has(field.name) && field.name !== '__typename';

const isIncluded = (node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] !== false;
