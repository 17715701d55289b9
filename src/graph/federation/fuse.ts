import {
  getNamedType,
  isObjectType,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import type { Entity } from './entities.ts';
import { alignResolvers } from './executor-parity.ts';
import { refuseProblems } from './federation.ts';
import { readProperty, type GuardedSubgraph } from './enforce-scopes.ts';
import type { SubgraphModel } from './subgraph-model.ts';
import { createReferences, type References } from './references.ts';
import { executableSchema } from './executable-schema.ts';

/** The parts from which `fuse` builds the schema. */
export type Parts = {
  /** The API schema that composition returns. */
  readonly api: DocumentNode;
  readonly models: readonly SubgraphModel[];
  readonly entities: ReadonlyMap<string, Entity>;
  readonly guarded: ReadonlyMap<string, GuardedSubgraph>;
};

/**
 * Builds one executable schema of all subgraphs, without a query planner. A field runs the resolver of the subgraph that
 * declares the field. The owning subgraph's `__resolveReference` completes a reference to an entity.
 */
export function fuse(parts: Parts): GraphQLSchema {
  const schema = executableSchema(parts.api);
  const references = createReferences(parts.guarded);
  const problems: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      attach({ parts, references, problems }, type.name, field);
  }
  refuseProblems('The subgraphs cannot be fused', problems);
  return alignResolvers(schema);
}

type Fusing = { readonly parts: Parts; readonly references: References; readonly problems: string[] };

/** Gives a field its subscriber and its resolver. A field that only reads a property gets no resolver. */
function attach(
  { parts, references, problems }: Fusing,
  type: string,
  field: GraphQLField<unknown, unknown>,
): void {
  const path = `${type}.${field.name}`;
  const owners = parts.models
    .filter(({ objects }) => objects.get(type)?.fields.has(field.name))
    .map(({ name }) => name);
  const given = owners.flatMap((owner) => {
    const guarded = parts.guarded.get(owner)?.fields.get(path);
    return guarded ? [{ owner, guarded }] : [];
  });
  if (given.length > 1) {
    problems.push(
      `${path} has resolvers in ${given.map(({ owner }) => `"${owner}"`).join(' and ')}; values of a shared type need none.`,
    );
  }
  const guarded = given[0]?.guarded;
  if (guarded?.subscribe) field.subscribe = guarded.subscribe as NonNullable<typeof field.subscribe>;
  const jumps = jumpsOf(parts, type, field, owners);
  if (jumps.target && owners.length > 1) {
    problems.push(`${path} is shared and answers ${jumps.target.name}, an entity, which is not served.`);
  }
  if (!guarded?.resolve && !jumps.source && !jumps.target) return;
  let resolve = guarded?.resolve ?? readProperty(field.name);
  if (jumps.source) resolve = references.extend(jumps.source, jumps.owner, resolve);
  if (jumps.target) resolve = references.complete(jumps.target, jumps.owner, resolve);
  field.resolve = resolve as NonNullable<typeof field.resolve>;
}

/** The places where a field crosses from one subgraph to another. */
type Jumps = {
  readonly owner: string;
  /** The entity to which a subgraph other than its home adds the field. */
  readonly source: Entity | null;
  /** The entity of another subgraph to which the field refers. */
  readonly target: Entity | null;
};

function jumpsOf(
  { entities }: Parts,
  type: string,
  field: GraphQLField<unknown, unknown>,
  owners: readonly string[],
): Jumps {
  const owner = owners[0] ?? '';
  const own = entities.get(type);
  const target = entities.get(getNamedType(field.type).name);
  const added = own?.ownerOf.get(field.name);
  return {
    owner,
    source: own && added !== undefined && added !== own.home ? own : null,
    target: target && target.home !== owner ? target : null,
  };
}
