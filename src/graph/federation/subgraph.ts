/**
 * One part of the graph: the resolvers of `schema/<name>.graphql` by type and field. Each entity that the subgraph owns has a
 * `__resolveReference`. The generated `Resolvers` of `generated/<name>.ts` are the type to give.
 */
export type Subgraph = {
  readonly name: string;
  readonly resolvers: Readonly<Record<string, object>>;
};
