import {
  buildASTSchema,
  findBreakingChanges,
  parse,
  type DocumentNode,
  type FieldDefinitionNode,
} from 'graphql';
import { namedTypeOf, readModel, type SubgraphModel } from '../../../src/graph/federation/subgraph-model.ts';
import type { ScopeGroups } from '../../../src/graph/federation/scopes.ts';

/**
 * Lists the changes between two contracts that may break a client, a router or another subgraph, each as a sentence:
 *
 * - changes that make a valid operation invalid, or that let a value be null or absent which was not
 * - keys of entities that are gone
 * - scopes that a token needs now and did not need before
 */
export function breakingChanges(released: string, present: string): readonly string[] {
  const [before, after] = [readContract(released), readContract(present)];
  return [
    ...findBreakingChanges(before.schema, after.schema).map(({ description }) => description),
    ...lostKeys(before.model, after.model),
    ...newScopes(before.model, after.model),
  ].sort();
}

function readContract(sdl: string) {
  return { schema: schemaOf(parse(sdl)), model: readModel({ name: 'all', resolvers: {} }, sdl) };
}

// The directives of federation have no definition in a contract.
const schemaOf = (document: DocumentNode) => buildASTSchema(document, { assumeValidSDL: true });

function lostKeys(before: SubgraphModel, after: SubgraphModel): readonly string[] {
  return [...before.objects.values()].flatMap(({ name, keys }) => {
    const object = after.objects.get(name);
    // A type that is gone is a breaking change by itself.
    if (!object) return [];
    const kept = new Set(object.keys.map(({ fields }) => fields.join(' ')));
    return keys
      .map(({ fields }) => fields.join(' '))
      .filter((fields) => !kept.has(fields))
      .map((fields) => `${name} lost its key "${fields}".`);
  });
}

function newScopes(before: SubgraphModel, after: SubgraphModel): readonly string[] {
  const all = ({ scopes, guards }: SubgraphModel) => new Map([...scopes, ...guards]);
  const known = all(before);
  return [...all(after)].flatMap(([path, groups]) => {
    const [type = '', field] = path.split('.');
    const object = before.objects.get(type);
    if (!object || (field !== undefined && !object.fields.has(field))) return [];
    const guard = guardBehind(before, object.fields.get(field ?? ''));
    const enough = (known.get(path) ?? NOTHING)
      .flatMap((given) => guard.map((more) => [...given, ...more]))
      .every((given) => admits(groups, given));
    return enough
      ? []
      : [`${path} requires other scopes: ${groups.map((group) => group.join(' with ')).join(', or ')}.`];
  });
}

const NOTHING: ScopeGroups = [[]];

/** Returns the scopes of the type that a field returns. The readers of the field had them. */
const guardBehind = ({ guards }: SubgraphModel, field: FieldDefinitionNode | undefined): ScopeGroups =>
  (field && guards.get(namedTypeOf(field.type))) ?? NOTHING;

/** True if a token with exactly these scopes has every scope of one group. */
const admits = (groups: ScopeGroups, given: readonly string[]): boolean =>
  groups.some((group) => group.every((scope) => given.includes(scope)));
