import { Kind, type TypeNode } from 'graphql';
import { refuseProblems } from './federation.ts';
import { isStub, keyFields, namedTypeOf, type ObjectModel, type SubgraphModel } from './subgraph-model.ts';
import type { ScopeGroups } from './scopes.ts';

/** A type with an identity, as the whole graph sees it. */
export type Entity = {
  readonly name: string;
  /** The subgraph that resolves the entity. Other subgraphs refer to the entity or add fields. */
  readonly home: string;
  /** The scopes that a reference requires. The scopes equal those of the root field by which the home answers one entity. */
  readonly scope: ScopeGroups;
  /** Maps each field outside the keys to its subgraph. */
  readonly ownerOf: ReadonlyMap<string, string>;
  /** Maps each subgraph to its key fields and to the keys that it resolves. */
  readonly keysIn: ReadonlyMap<string, KeysIn>;
};

export type KeysIn = {
  readonly all: ReadonlySet<string>;
  readonly resolvable: readonly (readonly string[])[];
};

/** Finds the entities of the graph. Throws one error that lists every entity with references that lead nowhere. */
export function planEntities(models: readonly SubgraphModel[]): ReadonlyMap<string, Entity> {
  const problems: string[] = [];
  const entities = new Map<string, Entity>();
  for (const name of new Set(
    models.flatMap(({ objects }) => [...objects.values()].filter(isEntity).map(nameOf)),
  )) {
    const entity = planEntity(name, models, problems);
    if (entity) entities.set(name, entity);
  }
  for (const model of models) problems.push(...abstractProblems(model, entities));
  refuseProblems('The subgraphs do not make one graph', problems);
  return entities;
}

const isEntity = ({ keys }: ObjectModel): boolean => keys.length > 0;
const nameOf = ({ name }: ObjectModel): string => name;

type Part = { readonly model: SubgraphModel; readonly object: ObjectModel };

function planEntity(name: string, models: readonly SubgraphModel[], problems: string[]): Entity | null {
  const parts = models.flatMap((model): Part[] => {
    const object = model.objects.get(name);
    return object ? [{ model, object }] : [];
  });
  const withoutKey = parts.filter(({ object }) => !isEntity(object));
  problems.push(
    ...withoutKey.map(({ model }) => `${name} has a @key elsewhere and none in "${model.name}".`),
  );
  const resolvable = parts.filter(({ object }) => isEntity(object) && !isStub(object));
  const home = resolvable.find(({ model }) => rootFieldOf(model, name)) ?? resolvable[0];
  if (!home) {
    problems.push(`${name} is referred to and no subgraph resolves it.`);
    return null;
  }
  const root = rootFieldOf(home.model, name);
  if (!root)
    problems.push(
      `${name} is reached by reference, and no field of Query in "${home.model.name}" says its scope.`,
    );
  const entity: Entity = {
    name,
    home: home.model.name,
    scope: home.model.scopes.get(`Query.${root ?? ''}`) ?? [],
    ownerOf: ownersOf(name, parts, problems),
    keysIn: new Map(parts.map((part) => [part.model.name, keysOf(part.object)])),
  };
  problems.push(...jumpProblems(entity));
  return entity;
}

/** Returns the field of Query that answers one entity, such as `transaction` for Transaction. */
function rootFieldOf({ objects }: SubgraphModel, entity: string): string | undefined {
  const fields = [...(objects.get('Query')?.fields.values() ?? [])];
  return fields.find(({ type }) => isSingle(type) && namedTypeOf(type) === entity)?.name.value;
}

/** True for a type that is not a list. */
const isSingle = (type: TypeNode): boolean =>
  type.kind === Kind.NAMED_TYPE || (type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.NAMED_TYPE);

function ownersOf(name: string, parts: readonly Part[], problems: string[]): ReadonlyMap<string, string> {
  const keys = new Set(parts.flatMap(({ object }) => [...keyFields(object)]));
  const owners = new Map<string, string>();
  for (const { model, object } of parts) {
    for (const field of [...object.fields.keys()].filter((each) => !keys.has(each))) {
      const other = owners.get(field);
      if (other)
        problems.push(
          `${name}.${field} is in "${other}" and in "${model.name}": a field of an entity has one home.`,
        );
      owners.set(field, model.name);
    }
  }
  return owners;
}

const keysOf = (object: ObjectModel): KeysIn => ({
  all: keyFields(object),
  resolvable: object.keys.filter((key) => key.resolvable).map((key) => key.fields),
});

/** Lists the subgraphs that have an entity and cannot refer to it in a subgraph that resolves it. */
function jumpProblems({ name, keysIn }: Entity): string[] {
  const jumps = [...keysIn].flatMap(([from, given]) =>
    [...keysIn].map(([to, requested]) => ({ from, given: given.all, to, requested: requested.resolvable })),
  );
  return jumps
    .filter(({ from, to, requested }) => from !== to && requested.length > 0)
    .filter(({ given, requested }) => !requested.some((key) => key.every((field) => given.has(field))))
    .map(({ from, to }) => `${name} in "${from}" has none of the keys by which "${to}" resolves it.`);
}

/** Lists interfaces and unions that hold entities of other subgraphs. The graph completes no such value by reference. */
const abstractProblems = (model: SubgraphModel, entities: ReadonlyMap<string, Entity>): string[] =>
  [...model.abstracts].flatMap(([abstract, members]) =>
    members
      .filter((member) => (entities.get(member)?.home ?? model.name) !== model.name)
      .map(
        (member) =>
          `${abstract} in "${model.name}" holds ${member} of another subgraph, which is not served.`,
      ),
  );
