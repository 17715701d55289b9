/**
 * One part of the graph: the resolvers of `schema/<name>.graphql`, by type and field, with `__resolveReference` on each
 * entity that it owns. Give the generated `Resolvers` of `generated/<name>.ts`.
 */
export type Subgraph = {
  readonly name: string;
  readonly resolvers: Readonly<Record<string, object>>;
};
