import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { GraphContext } from '../context.ts';
import type { Entity } from './entities.ts';
import { referenceOf, type GuardedSubgraph, type Resolve, type ResolveReference } from './enforce-scopes.ts';

/** Passes entities from one subgraph to another inside one process. */
export type References = {
  /** Wraps a field of `from` that answers an entity of another home. The field's value is a reference or the view of `from`. */
  complete(entity: Entity, from: string, resolve: Resolve): Resolve;
  /** Wraps a field that `owner` adds to an entity of another home. The field's source is the view of `owner`. */
  extend(entity: Entity, owner: string, resolve: Resolve): Resolve;
};

/** The values that subgraphs other than the home hold for one entity in one request, by subgraph. */
type Views = Map<string, unknown>;

export function createReferences(subgraphs: ReadonlyMap<string, GuardedSubgraph>): References {
  const views = new WeakMap<GraphContext, WeakMap<object, Views>>();
  const viewsOf = (context: GraphContext, source: object): Views => {
    const ofRequest = entry(views, context, () => new WeakMap<object, Views>());
    return entry(ofRequest, source, () => new Map<string, unknown>());
  };
  const resolverOf = (subgraph: string, entity: Entity): ResolveReference => {
    const found = subgraphs.get(subgraph)?.references.get(entity.name);
    if (!found) throw new Error(`${entity.name} has no __resolveReference in "${subgraph}".`);
    return found;
  };
  return {
    complete: (entity, from, resolve) =>
      complete({ entity, from, resolve, home: resolverOf(entity.home, entity), viewsOf }),
    extend(entity, owner, resolve) {
      const reference = resolverOf(owner, entity);
      const keys = entity.keysIn.get(owner)?.all ?? [];
      return (source, args, context, info) => {
        if (!isObject(source)) return null;
        const known = viewsOf(context, source);
        if (!known.has(owner))
          known.set(owner, reference(referenceOf(entity.name, keys, source), context, info));
        return after(known.get(owner), (view) => (view == null ? null : resolve(view, args, context, info)));
      };
    },
  };
}

type Completion = {
  readonly entity: Entity;
  readonly from: string;
  readonly resolve: Resolve;
  readonly home: ResolveReference;
  readonly viewsOf: (context: GraphContext, source: object) => Views;
};

/**
 * Completes a reference. A field that selects nothing of the home needs no load, because the referring subgraph gave the key.
 * Otherwise the home loads the entity behind its scope. An unknown entity is null.
 */
function complete({ entity, from, resolve, home, viewsOf }: Completion): Resolve {
  const keys = entity.keysIn.get(from)?.all ?? new Set<string>();
  const adds = [...entity.ownerOf.values()].includes(from);
  const isHomes = (field: string) => (entity.ownerOf.get(field) ?? entity.home) === entity.home;
  // The home also has the keys that the referring subgraph lacks.
  const loads = selecting((field) => field !== '__typename' && !keys.has(field) && isHomes(field));
  return (source, args, context, info) => {
    const load = loads(info);
    const one = (value: unknown): unknown => {
      if (value instanceof Error || !isObject(value)) return value ?? null;
      if (Array.isArray(value)) return value.map((item: unknown) => after(item, one));
      const reference = referenceOf(entity.name, keys, value);
      const keep = (target: unknown): unknown => {
        if (adds && isObject(target)) viewsOf(context, target).set(from, value);
        return target ?? null;
      };
      return load ? after(home(reference, context, info), keep) : keep(reference);
    };
    return after(resolve(source, args, context, info), one);
  };
}

/**
 * Returns a function that tells whether the selection of the current field has a field that matches. Many rows share one
 * place in a document. So a selection without @skip and @include on the way is looked at once.
 */
function selecting(matches: (field: string) => boolean): (info: GraphQLResolveInfo) => boolean {
  const known = new WeakMap<FieldNode, boolean>();
  return (info) => {
    const [node, ...others] = info.fieldNodes;
    const found = node && others.length === 0 ? known.get(node) : undefined;
    if (found !== undefined) return found;
    const { selected, varies } = look(info, matches);
    if (node && others.length === 0 && !varies) known.set(node, selected);
    return selected;
  };
}

/** Looks for a selected field that matches. `varies`: the variables decide. */
function look(info: GraphQLResolveInfo, matches: (field: string) => boolean) {
  const seen = new Set<string>();
  let varies = false;
  const included = (node: SelectionNode): boolean => {
    if (!node.directives?.length) return true;
    varies = true;
    return (
      getDirectiveValues(GraphQLSkipDirective, node, info.variableValues)?.['if'] !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, info.variableValues)?.['if'] !== false
    );
  };
  const inSet = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((node) => {
      if (!included(node)) return false;
      if (node.kind === Kind.FIELD) return matches(node.name.value);
      if (node.kind === Kind.INLINE_FRAGMENT) return inSet(node.selectionSet);
      if (seen.has(node.name.value)) return false;
      seen.add(node.name.value);
      return inSet(info.fragments[node.name.value]?.selectionSet);
    }) ?? false;
  const selected = info.fieldNodes.some((node) => inSet(node.selectionSet));
  return { selected, varies };
}

/** Calls `next` with a value or with the value of a promise. A plain value costs no turn of the event loop. */
export const after = (value: unknown, next: (value: unknown) => unknown): unknown =>
  isThenable(value) ? value.then(next) : next(value);

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isObject(value) && typeof value['then'] === 'function';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function entry<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
