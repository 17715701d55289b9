import type { GraphQLResolveInfo } from 'graphql';
import type { GraphContext } from '../context.ts';
import type { Entity } from './entities.ts';
import { invalidArguments } from '../errors.ts';
import { refusingCardNumbers } from './refuse-card-numbers.ts';
import { ROOT_TYPES, type SubgraphModel } from './subgraph-model.ts';
import { traced } from '../../platform/tracing/trace.ts';
import { requireScopes, type ScopeGroups } from './scopes.ts';

export type Resolve = (
  source: unknown,
  args: unknown,
  context: GraphContext,
  info: GraphQLResolveInfo,
) => unknown;

/** The functions of a field. Only fields of Subscription have `subscribe`. */
export type GuardedField = { readonly resolve?: Resolve; readonly subscribe?: Resolve };

/** Refuses the mutations of a document before the first of them runs. */
export type RefuseUnreadable = (context: GraphContext, info: GraphQLResolveInfo) => void;

/** A key with the type's name, as a subgraph or a router sends it. */
export type Reference = Readonly<Record<string, unknown>>;

export type ResolveReference = (
  reference: Reference,
  context: GraphContext,
  info: GraphQLResolveInfo,
) => unknown;

/** The resolvers of a subgraph behind their scopes. The fused schema and the subgraph's own schema use the same functions. */
export type GuardedSubgraph = {
  readonly name: string;
  readonly fields: ReadonlyMap<string, GuardedField>;
  readonly references: ReadonlyMap<string, ResolveReference>;
};

/**
 * Puts the scopes of the SDL in front of each resolver and each `__resolveReference` of a subgraph. A mutation first checks
 * the scopes of its whole document.
 */
export function guardSubgraph(
  model: SubgraphModel,
  entities: ReadonlyMap<string, Entity>,
  refuseUnreadable: RefuseUnreadable,
): GuardedSubgraph {
  const fields = new Map<string, GuardedField>();
  const references = new Map<string, ResolveReference>();
  for (const { name: type, fields: declared } of model.objects.values()) {
    // The generated types of a subgraph check its resolvers. This code calls all of them alike.
    const given = (model.resolvers[type] ?? {}) as Readonly<Record<string, Resolve | GuardedField>>;
    for (const field of declared.keys()) {
      const checked = ROOT_TYPES.includes(type) ? checkField(given[field]) : given[field];
      const guarded = guardField(field, checked, model.scopes.get(`${type}.${field}`));
      if (!guarded) continue;
      const fresh = CHANGING.includes(type) ? freshly(field, guarded) : guarded;
      fields.set(`${type}.${field}`, type === 'Mutation' ? checking(field, fresh, refuseUnreadable) : fresh);
    }
    const entity = entities.get(type);
    const reference = given['__resolveReference'] as ResolveReference | undefined;
    if (entity && reference) references.set(type, guardReference(entity, model.name, reference));
  }
  return { name: model.name, fields, references };
}

/** Reads a property, as a field without a resolver does. */
export const readProperty =
  (name: string): Resolve =>
  (source) =>
    // The parent's resolver answered the source, so its type is unknown here.
    (source as Readonly<Record<string, unknown>> | null | undefined)?.[name];

function guardField(
  name: string,
  given: Resolve | GuardedField | undefined,
  scope?: ScopeGroups,
): GuardedField | null {
  const field = typeof given === 'function' ? { resolve: given } : given;
  if (!scope) return field ?? null;
  if (field?.subscribe) return { ...field, subscribe: guarded(scope, field.subscribe) };
  return { resolve: guarded(scope, field?.resolve ?? readProperty(name)) };
}

/** Refuses card numbers in the arguments of a field that starts an operation. */
function checkField(given: Resolve | GuardedField | undefined): Resolve | GuardedField | undefined {
  if (typeof given === 'function') return refusingCardNumbers(given);
  return given?.subscribe ? { ...given, subscribe: refusingCardNumbers(given.subscribe) } : given;
}

/** Types with fields between which records change: mutations of a document, events of a subscription. */
const CHANGING: readonly string[] = ['Mutation', 'Subscription'];

/** Clears the loaders of the request before the field runs, so that later fields read anew. */
function freshly(name: string, field: GuardedField): GuardedField {
  const resolve = field.resolve ?? readProperty(name);
  return {
    ...field,
    resolve: (source, args, context, info) => {
      for (const loader of Object.values(context.loaders)) loader.clearAll();
      return resolve(source, args, context, info);
    },
  };
}

/** Checks the scopes of all mutations of the document before the first of them runs. Each is a part of the trace. */
function checking(name: string, field: GuardedField, refuseUnreadable: RefuseUnreadable): GuardedField {
  const resolve = field.resolve ?? readProperty(name);
  return {
    ...field,
    resolve: (source, args, context, info) => {
      refuseUnreadable(context, info);
      return traced({ name: `Mutation.${name}` }, async () => resolve(source, args, context, info));
    },
  };
}

const guarded =
  (scope: ScopeGroups, resolve: Resolve): Resolve =>
  (source, args, context, info) => {
    requireScopes(context, scope);
    return resolve(source, args, context, info);
  };

/**
 * Passes only the key on, so that no other part of a router's representation reaches a resolver. A refusal rejects the promise
 * and is never thrown at once. The other references of one `_entities` still get their answers.
 */
function guardReference(entity: Entity, subgraph: string, resolve: ResolveReference): ResolveReference {
  const keys = entity.keysIn.get(subgraph)?.resolvable ?? [];
  const resolveByKey: ResolveReference = (reference, context, info) => {
    requireScopes(context, entity.scope);
    const key = keys.find((fields) => fields.every((field) => isKeyValue(reference[field])));
    if (!key) {
      const message = `A reference to ${entity.name} needs ${keys.map((fields) => fields.join(' with ')).join(', or ')}.`;
      throw invalidArguments([{ kind: 'InvalidInput', path: ['representations'], message }]);
    }
    return resolve(referenceOf(entity.name, key, reference), context, info);
  };
  // An async function would make further promises for each row of a list.
  return (reference, context, info) => {
    try {
      return resolveByKey(reference, context, info);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

const isKeyValue = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Returns the type's name and the key fields of a value. */
export const referenceOf = (
  type: string,
  key: Iterable<string>,
  value: Readonly<Record<string, unknown>>,
): Reference => {
  const reference: Record<string, unknown> = { __typename: type };
  for (const field of key) if (value[field] !== undefined) reference[field] = value[field];
  return reference;
};
