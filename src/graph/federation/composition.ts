import { composeServices } from '@theguild/federation-composition';
import type { DocumentNode } from 'graphql';
import { refuseProblems } from './federation.ts';
import { renamed, withoutScopes, withoutStubDescriptions } from './published-sdl.ts';
import type { SubgraphModel } from './subgraph-model.ts';

/** The result of composition. The committed schema files come from it, without any resolver. */
export type Composed = {
  readonly api: DocumentNode;
  readonly apiSdl: string;
  readonly supergraphSdl: string;
};

export type ComposeOptions = {
  /** The address of a subgraph by its name. Without it, the supergraph has no addresses. */
  readonly urlOf?: (name: string) => string | undefined;
  /** False leaves `@requiresScopes` out of the supergraph. */
  readonly publishesScopes?: boolean;
  /** Subgraphs of other services, which only a router joins with ours. */
  readonly others?: readonly ForeignSubgraph[];
  /** Other names of our types and root fields, such as `Event` and `Query.events`. */
  readonly names?: ReadonlyMap<string, string>;
};

/** A subgraph of another service, by its SDL. */
export type ForeignSubgraph = { readonly name: string; readonly typeDefs: DocumentNode };

/** Composes the subgraphs' SDL. Throws with everything that composition refuses. */
export function compose(
  models: readonly SubgraphModel[],
  { urlOf, publishesScopes = true, others = [], names = new Map() }: ComposeOptions = {},
): Composed {
  const own = models.map((model): ForeignSubgraph => {
    const typeDefs = renamed(withoutStubDescriptions(model), names);
    return { name: model.name, typeDefs: publishesScopes ? typeDefs : withoutScopes(typeDefs) };
  });
  const composed = composeServices(
    [...own, ...others].map(({ name, typeDefs }) => {
      const url = urlOf?.(name);
      return { name, typeDefs, ...(url === undefined ? {} : { url }) };
    }),
  );
  refuseProblems(
    'The subgraphs do not compose',
    (composed.errors ?? []).map(({ message }) => message),
  );
  if (!composed.publicSdl || !composed.supergraphSdl) throw new Error('Composition gave no schema.');
  return {
    api: composed.publicDocumentNode,
    apiSdl: composed.publicSdl,
    supergraphSdl: composed.supergraphSdl,
  };
}
