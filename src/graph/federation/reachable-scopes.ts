import type { Entity } from './entities.ts';
import { refuseProblems } from './federation.ts';
import { namedTypeOf, ROOT_TYPES, type SubgraphModel } from './subgraph-model.ts';
import type { ScopeGroups } from './scopes.ts';

/**
 * Refuses types whose scope some way to them does not require. Each field that returns a guarded type requires the scope of the
 * type, or every way to the field does. A way that does not begin at a mutation requires a read scope. Only the answer of a mutation
 * shows a record to a write scope. Throws one error that lists every field that fails.
 */
export function refuseOpenWays(
  models: readonly SubgraphModel[],
  entities: ReadonlyMap<string, Entity>,
): void {
  const problems = models.flatMap((model) => [
    ...openWays(model, entities, { roots: ['Mutation'], keep: (groups) => groups }),
    ...openWays(model, entities, { roots: ROOT_TYPES.filter((root) => root !== 'Mutation'), keep: readable }),
  ]);
  refuseProblems('Types can be read without their scopes', [...new Set(problems)]);
}

/** The types where ways begin, and the groups of a guard that are enough there. */
type Ways = { readonly roots: readonly string[]; readonly keep: (groups: ScopeGroups) => ScopeGroups };

/** Keeps the groups without a write scope. */
const readable = (groups: ScopeGroups): ScopeGroups =>
  groups.filter((group) => group.every((scope) => !scope.endsWith('.write')));

function openWays(
  model: SubgraphModel,
  entities: ReadonlyMap<string, Entity>,
  { roots, keep }: Ways,
): string[] {
  const guards = new Map([...model.guards].map(([type, groups]) => [type, keep(groups)]));
  const steps = stepsOf(model);
  const assured = assuredGroups({ ...model, guards }, steps, { entities, roots });
  return [...guards].flatMap(([type, groups]) => {
    const needed = groups.map((group) => group.join(' and ')).join(' or ');
    const entity = entities.get(type);
    const open = steps
      .filter(({ from, to }) => to === type && assured.has(from))
      .filter((step) => !entail(along(step, assured), groups))
      .map(({ path }) => `${path} answers ${type} and does not require ${needed}.`);
    if (entity && !entail(entity.scope.length > 0 ? entity.scope : NOTHING, groups))
      open.push(`A reference to ${type} does not require ${needed}.`);
    return open;
  });
}

/** A field on the way to a type. A field of an interface or union is a step to each of the object types. */
type Step = {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly required: ScopeGroups;
};

/** One empty group: no scope is required. */
const NOTHING: ScopeGroups = [[]];

function stepsOf({ objects, abstracts, scopes }: SubgraphModel): readonly Step[] {
  return [...objects.values()].flatMap(({ name: from, fields }) =>
    [...fields.values()].flatMap((field): readonly Step[] => {
      const named = namedTypeOf(field.type);
      const path = `${from}.${field.name.value}`;
      const required = scopes.get(path) ?? NOTHING;
      return (abstracts.get(named) ?? [named])
        .filter((to) => objects.has(to))
        .map((to) => ({ path, from, to, required }));
    }),
  );
}

type From = { readonly entities: ReadonlyMap<string, Entity>; readonly roots: readonly string[] };

/** Maps each type to the groups of which every way to the type requires one. A type to which no way leads is absent. */
function assuredGroups(
  { name, objects, guards }: Pick<SubgraphModel, 'name' | 'objects' | 'guards'>,
  steps: readonly Step[],
  { entities, roots }: From,
): ReadonlyMap<string, ScopeGroups> {
  const assured = new Map<string, ScopeGroups>(roots.map((root) => [root, NOTHING]));
  for (const type of objects.keys()) {
    const entity = entities.get(type);
    // Each way to a guarded type is checked, so the ways beyond start with the type's scope.
    const known = guards.get(type) ?? entity?.scope;
    if (known) assured.set(type, known);
  }
  // A type of another home is entered by reference alone, so its scopes are those of the reference.
  const isFixed = (type: string): boolean => guards.has(type) || (entities.get(type)?.home ?? name) !== name;
  for (let changed = true; changed;) {
    changed = false;
    for (const step of steps) {
      if (isFixed(step.to) || !assured.has(step.from)) continue;
      const known = assured.get(step.to) ?? [];
      const next = along(step, assured);
      if (entail(next, known)) continue;
      assured.set(step.to, smallest([...known, ...next]));
      changed = true;
    }
  }
  return assured;
}

/** Returns the groups of which a way over a step requires one: those of both parts together. */
const along = ({ from, required }: Step, assured: ReadonlyMap<string, ScopeGroups>): ScopeGroups =>
  smallest(
    (assured.get(from) ?? NOTHING).flatMap((before) =>
      required.map((group) => [...new Set([...before, ...group])]),
    ),
  );

/** True if whoever has one of the first groups has one of the others, too. */
const entail = (groups: ScopeGroups, needed: ScopeGroups): boolean =>
  groups.every((group) => needed.some((one) => one.every((scope) => group.includes(scope))));

/** Leaves out each group that includes another one. */
const smallest = (groups: ScopeGroups): ScopeGroups =>
  groups.filter(
    (group, place) =>
      !groups.some(
        (other, nth) =>
          nth !== place &&
          other.every((scope) => group.includes(scope)) &&
          (other.length < group.length || nth < place),
      ),
  );
