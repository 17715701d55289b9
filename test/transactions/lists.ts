import type { GraphqlError, TestServer } from '../support/server.ts';

/** The arguments of `transactions`, as variables. */
export type ListArguments = {
  readonly filter?: object;
  readonly sort?: string;
  readonly first?: number;
  readonly after?: string | null;
  readonly last?: number;
  readonly before?: string | null;
};

export type List = {
  readonly nodes: readonly { readonly id: string; readonly amount: number; readonly updatedAt: string }[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

const QUERY = `query ($filter: TransactionFilter, $sort: TransactionSort! = CREATED_AT_DESC, $first: Int, $after: String,
    $last: Int, $before: String) {
  transactions(filter: $filter, sort: $sort, first: $first, after: $after, last: $last, before: $before) {
    nodes { id amount updatedAt } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

/** Reads a page of transactions. Throws when the page is refused. */
export async function list(server: TestServer, args: ListArguments = {}, token?: string): Promise<List> {
  const { body } = await server.graphql<{ transactions: List }>(QUERY, args, token ? { token } : {});
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.transactions;
}

/** Returns the reason for the refusal of a page. */
export async function refusalOf(server: TestServer, args: ListArguments): Promise<GraphqlError> {
  const { body } = await server.graphql<{ transactions: List }>(QUERY, args);
  const [error, ...others] = body.errors ?? [];
  if (!error || others.length > 0 || body.data) throw new Error(JSON.stringify(body));
  return error;
}
