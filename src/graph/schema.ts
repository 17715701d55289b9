import { buildSubgraphSchema, type GraphQLSchemaModule } from '@apollo/subgraph';
import type { GraphQLSchema } from 'graphql';
import { planEntities } from './federation/entities.ts';
import { alignResolvers } from './federation/executor-parity.ts';
import type { Composed } from './federation/composition.ts';
import { refuseOutsideSubset } from './federation/federation.ts';
import { createMutationScopes } from './limits/mutation-scopes.ts';
import { refuseOpenWays } from './federation/reachable-scopes.ts';
import { fuse } from './federation/fuse.ts';
import { guardSubgraph, type GuardedSubgraph } from './federation/enforce-scopes.ts';
import { isStub, readModel, type SubgraphModel } from './federation/subgraph-model.ts';
import type { SdlOf } from './federation/sdl.ts';
import type { Subgraph } from './federation/subgraph.ts';
import { withDomainValues } from './federation/enum-values.ts';

/** The schemas that the service serves. A process builds them once, at start. */
export type Graph = {
  /** The API: all subgraphs as one executable schema that enforces scopes. */
  readonly schema: GraphQLSchema;
  /** SDL of the API. */
  readonly apiSdl: string;
  /** SDL for a router in front of the subgraphs. */
  readonly supergraphSdl: string;
  /**
   * Builds each subgraph by name as an executable Federation v2 subgraph. Resolvers and scopes are those of the API. Costs as
   * much as all the rest, so a service that serves no subgraphs never calls it.
   */
  subgraphs(): ReadonlyMap<string, GraphQLSchema>;
};

/** The texts of the subgraphs, and their composition. */
export type Contract = {
  readonly sdlOf: SdlOf;
  readonly compose: (models: readonly SubgraphModel[]) => Composed;
};

/**
 * Builds the graph from its subgraphs. Throws one error with every problem:
 * - the SDL and the resolvers do not fit together
 * - a field that starts an operation has no scope
 * - a field answers a guarded type and does not require the type's scope
 * - the SDL needs more of federation than the graph serves
 */
export function buildGraph(subgraphs: readonly Subgraph[], { sdlOf, compose }: Contract): Graph {
  const models = subgraphs.map((subgraph) => readModel(subgraph, sdlOf(subgraph.name)));
  for (const model of models) refuseOutsideSubset(model);
  const composed = compose(models);
  const entities = planEntities(models);
  refuseOpenWays(models, entities);
  const refuseUnreadable = createMutationScopes(models, entities);
  const guarded = new Map(
    models.map((model) => [model.name, guardSubgraph(model, entities, refuseUnreadable)]),
  );
  return {
    schema: fuse({ api: composed.api, models, entities, guarded }),
    apiSdl: composed.apiSdl,
    supergraphSdl: composed.supergraphSdl,
    subgraphs: () =>
      new Map(models.map((model) => [model.name, subgraphSchema(model, guarded.get(model.name))])),
  };
}

/** Builds the schema for a router: `_service`, `_entities`, and the fields of this subgraph alone. */
function subgraphSchema(model: SubgraphModel, guarded: GuardedSubgraph | undefined): GraphQLSchema {
  const resolvers: Record<string, Record<string, unknown>> = {};
  const put = (type: string, name: string, value: unknown) =>
    (resolvers[type] = { ...resolvers[type], [name]: value });
  for (const [path, field] of guarded?.fields ?? []) {
    const [type = '', name = ''] = path.split('.');
    put(type, name, field);
  }
  for (const object of model.objects.values()) {
    // A reference to an entity of another home resolves to null here. The default would echo the reference.
    if (isStub(object)) put(object.name, '__resolveReference', () => null);
  }
  for (const [type, resolve] of guarded?.references ?? []) put(type, '__resolveReference', resolve);
  // The subgraph's generated types checked the resolvers.
  const checked = resolvers as NonNullable<GraphQLSchemaModule['resolvers']>;
  return alignResolvers(
    withDomainValues(buildSubgraphSchema([{ typeDefs: model.document, resolvers: checked }])),
  );
}
