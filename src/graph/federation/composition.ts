import { composeServices } from '@theguild/federation-composition';
import { visit, type DocumentNode } from 'graphql';
import { refuseProblems } from './federation.ts';
import { isStub, type SubgraphModel } from './subgraph-model.ts';

/** The result of composition. The committed schema files come from it, without any resolver. */
export type Composed = {
  readonly api: DocumentNode;
  readonly apiSdl: string;
  readonly supergraphSdl: string;
};

/** Composes the subgraphs' SDL. Throws with everything that composition refuses. */
export function compose(models: readonly SubgraphModel[]): Composed {
  const composed = composeServices(
    models.map((model) => ({ name: model.name, typeDefs: withoutStubDescriptions(model) })),
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

/** Removes the descriptions of referenced entities, so that composition takes the description of the owning subgraph. */
function withoutStubDescriptions({ document, objects }: SubgraphModel): DocumentNode {
  return visit<DocumentNode>(document, {
    ObjectTypeDefinition: (node) => {
      const object = objects.get(node.name.value);
      if (!object || !isStub(object)) return undefined;
      const { description: _, ...rest } = node;
      return rest;
    },
  });
}
