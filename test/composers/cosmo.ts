import type { DocumentNode } from 'graphql';

export type ComposedSubgraph = {
  readonly name: string;
  readonly url: string;
  readonly definitions: DocumentNode;
};

type Composed = { readonly success: boolean; readonly errors?: readonly Error[] };

/** The used part of the composer's package. Its own types are missing until the package is installed. */
type Package = {
  readonly ROUTER_COMPATIBILITY_VERSION_ONE: string;
  readonly federateSubgraphs: (given: object) => Composed;
};

const PACKAGE: string = '@wundergraph/composition';

/** Composes subgraphs as Cosmo does, and returns the messages of its errors. Needs `installApart('test/composers')` before. */
export async function cosmoFaults(subgraphs: readonly ComposedSubgraph[]): Promise<readonly string[]> {
  const { federateSubgraphs, ROUTER_COMPATIBILITY_VERSION_ONE: version } = (await import(PACKAGE)) as Package;
  const { success, errors = [] } = federateSubgraphs({ subgraphs: [...subgraphs], version });
  return success ? [] : errors.map(({ message }) => message);
}
