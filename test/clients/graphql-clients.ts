/** The answer of a client, with the codes of its errors. */
export type ClientResult = { readonly data: unknown; readonly codes: readonly string[] };

/** A client of others: runs one document. */
export type GraphqlClient = (
  document: string,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<ClientResult>;

type Target = {
  readonly url: string;
  readonly token: string;
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>;
};

type Coded = { readonly extensions?: { readonly code?: string } };

const codesOf = (errors: readonly Coded[] = []): readonly string[] =>
  errors.map(({ extensions }) => extensions?.code ?? 'none');

const REQUEST: string = 'graphql-request';
const URQL: string = '@urql/core';

type RequestPackage = {
  readonly GraphQLClient: new (
    url: string,
    settings: object,
  ) => { rawRequest(document: string, variables?: object): Promise<{ data: unknown; errors?: Coded[] }> };
};

/** Makes a client of graphql-request. Needs `installApart('test/clients')` before. */
export async function requestClient({ url, token, fetch }: Target): Promise<GraphqlClient> {
  const { GraphQLClient } = (await import(REQUEST)) as RequestPackage;
  const client = new GraphQLClient(url, {
    ...{ headers: { authorization: `Bearer ${token}` }, errorPolicy: 'all' },
    ...(fetch && { fetch }),
  });
  return async (document, variables) => {
    const { data, errors } = await client.rawRequest(document, variables);
    return { data: data ?? null, codes: codesOf(errors) };
  };
}

type UrqlResult = {
  readonly data?: unknown;
  readonly error?: { readonly graphQLErrors: readonly Coded[]; readonly networkError?: Error };
};
type UrqlPackage = {
  readonly Client: new (settings: object) => {
    query(document: string, variables: object): { toPromise(): Promise<UrqlResult> };
    mutation(document: string, variables: object): { toPromise(): Promise<UrqlResult> };
  };
  readonly fetchExchange: unknown;
  readonly cacheExchange: unknown;
};

/** Makes a client of urql with its document cache, which adds `__typename` everywhere. Needs the packages as above. */
export async function urqlClient({ url, token, fetch }: Target): Promise<GraphqlClient> {
  const { Client, cacheExchange, fetchExchange } = (await import(URQL)) as UrqlPackage;
  const client = new Client({
    ...{ url, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false },
    ...{ fetchOptions: { headers: { authorization: `Bearer ${token}` } }, requestPolicy: 'network-only' },
    ...(fetch && { fetch }),
  });
  return async (document, variables = {}) => {
    const kind = document.trimStart().startsWith('mutation') ? 'mutation' : 'query';
    const { data, error } = await client[kind](document, variables).toPromise();
    if (error?.networkError) throw error.networkError;
    return { data: data ?? null, codes: codesOf(error?.graphQLErrors) };
  };
}
