import type { GraphQLSchema } from 'graphql';
import { planEntities } from './federation/entities.ts';
import type { Composed } from './federation/composition.ts';
import { refuseOutsideSubset } from './federation/federation.ts';
import { createMutationScopes, scopeRulesOf, type ScopeRules } from './limits/mutation-scopes.ts';
import { refuseOpenWays } from './federation/reachable-scopes.ts';
import { fuse } from './federation/fuse.ts';
import { guardSubgraph } from './federation/enforce-scopes.ts';
import { readModel, type SubgraphModel } from './federation/subgraph-model.ts';
import { servedSubgraph, type ServedSubgraphOptions } from './federation/served-subgraph.ts';
import type { SdlOf } from './federation/sdl.ts';
import type { Subgraph } from './federation/subgraph.ts';

/** The schemas that the service serves. A process builds them once, at start. */
export type Graph = {
  /** The API: all subgraphs as one executable schema that enforces scopes. */
  readonly schema: GraphQLSchema;
  /** The scopes that each field of the schema requires. */
  readonly scopes: ScopeRules;
  /** SDL of the API. */
  readonly apiSdl: string;
  /** SDL for a router in front of the subgraphs. */
  readonly supergraphSdl: string;
  /**
   * Builds each subgraph by name as an executable Federation v2 subgraph. Resolvers and scopes are those of the API. Costs as
   * much as all the rest, so a service that serves no subgraphs never calls it.
   */
  subgraphs(options?: ServedSubgraphOptions): ReadonlyMap<string, GraphQLSchema>;
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
  const scopes = scopeRulesOf(models, entities);
  const refuseUnreadable = createMutationScopes(scopes);
  const guarded = new Map(
    models.map((model) => [model.name, guardSubgraph(model, entities, refuseUnreadable)]),
  );
  return {
    schema: fuse({ api: composed.api, models, entities, guarded }),
    scopes,
    apiSdl: composed.apiSdl,
    supergraphSdl: composed.supergraphSdl,
    // The models are read again, because few services serve subgraphs, and the models hold the documents of all SDL.
    subgraphs: (options = { publishesScopes: true }) =>
      new Map(
        subgraphs.map((subgraph) => {
          const model = readModel(subgraph, sdlOf(subgraph.name));
          return [model.name, servedSubgraph(model, guarded.get(model.name), options)];
        }),
      ),
  };
}
