import type { Entity } from './entities.ts';
import { refuseProblems } from './federation.ts';
import { namedTypeOf, ROOT_TYPES, type SubgraphModel } from './subgraph-model.ts';
import type { ScopeGroups } from './scopes.ts';

/**
 * Refuses types whose scope some way to them does not require. Each field that returns a guarded type requires the scope of the
 * type, or every way to the field does. Throws one error that lists every field that fails.
 */
export function refuseOpenWays(
  models: readonly SubgraphModel[],
  entities: ReadonlyMap<string, Entity>,
): void {
  const problems = models.flatMap((model) => openWays(model, entities));
  refuseProblems('Types can be read without their scopes', problems);
}

function openWays(model: SubgraphModel, entities: ReadonlyMap<string, Entity>): string[] {
  const steps = stepsOf(model);
  const assured = assuredScopes(model, steps, entities);
  return [...model.guards].flatMap(([type, groups]) => {
    const needed = alwaysRequired(groups);
    const lacks = (scopes: ReadonlySet<string>): boolean => [...needed].some((scope) => !scopes.has(scope));
    const entity = entities.get(type);
    const open = steps
      .filter(({ from, to }) => to === type && assured.has(from))
      .filter((step) => lacks(along(step, assured)))
      .map(({ path }) => `${path} answers ${type} and does not require ${[...needed].join(' and ')}.`);
    if (entity && lacks(alwaysRequired(entity.scope)))
      open.push(`A reference to ${type} does not require ${[...needed].join(' and ')}.`);
    return open;
  });
}

/** A field on the way to a type. A field of an interface or union is a step to each of the object types. */
type Step = {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly required: ReadonlySet<string>;
};

function stepsOf({ objects, abstracts, scopes }: SubgraphModel): readonly Step[] {
  return [...objects.values()].flatMap(({ name: from, fields }) =>
    [...fields.values()].flatMap((field): readonly Step[] => {
      const named = namedTypeOf(field.type);
      const path = `${from}.${field.name.value}`;
      const required = alwaysRequired(scopes.get(path) ?? []);
      return (abstracts.get(named) ?? [named])
        .filter((to) => objects.has(to))
        .map((to) => ({ path, from, to, required }));
    }),
  );
}

/** Maps each type to the scopes that every way to the type requires. A type to which no way leads is absent. */
function assuredScopes(
  { name, objects, guards }: SubgraphModel,
  steps: readonly Step[],
  entities: ReadonlyMap<string, Entity>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const assured = new Map<string, ReadonlySet<string>>(ROOT_TYPES.map((root) => [root, new Set()]));
  for (const type of objects.keys()) {
    const entity = entities.get(type);
    if (entity) assured.set(type, alwaysRequired(entity.scope));
    const guard = guards.get(type);
    // Each way to a guarded type is checked, so the ways beyond start with the type's scope.
    if (guard) assured.set(type, alwaysRequired(guard));
  }
  // A type of another home is entered by reference alone, so its scopes are those of the reference.
  const isFixed = (type: string): boolean => guards.has(type) || (entities.get(type)?.home ?? name) !== name;
  for (let changed = true; changed;) {
    changed = false;
    for (const step of steps) {
      if (isFixed(step.to) || !assured.has(step.from)) continue;
      const known = assured.get(step.to);
      const next = meet(known, along(step, assured));
      if (known?.size === next.size) continue;
      assured.set(step.to, next);
      changed = true;
    }
  }
  return assured;
}

const along = (
  { from, required }: Step,
  assured: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> => new Set([...required, ...(assured.get(from) ?? [])]);

const meet = (known: ReadonlySet<string> | undefined, more: ReadonlySet<string>): ReadonlySet<string> =>
  known ? new Set([...known].filter((scope) => more.has(scope))) : more;

/** Returns the scopes that are in every group. */
const alwaysRequired = (groups: ScopeGroups): ReadonlySet<string> => {
  const [first = [], ...rest] = groups;
  return new Set(first.filter((scope) => rest.every((group) => group.includes(scope))));
};
