import { mintToken } from '../../src/modules/accounts/index.ts';
import { startTestServer, type AskOptions, type GraphqlError, type TestServer } from '../support/server.ts';

/** A refusal as `userErrors` shows it. */
export type UserError = {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly resourceId?: string;
  readonly differingPaths?: readonly string[];
};

export type MerchantAccount = {
  readonly id: string;
  readonly displayName: string;
  readonly [field: string]: unknown;
};
export type ApiKeyPair = {
  readonly id: string;
  readonly displayName: string;
  readonly thumbprint: string;
  readonly scopes: readonly string[];
  readonly merchantAccountIds: readonly string[];
  readonly [field: string]: unknown;
};

export type PageInfo = {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string;
  readonly endCursor: string;
};

/** The answer of the mutations. `node` is the record. Null when the request as a whole was refused. */
export type Payload<Node> = {
  readonly node: Node | null;
  readonly userErrors: readonly UserError[];
  readonly replayed?: boolean;
  readonly privateKey?: string | null;
};
export type Answered<Data> = { readonly data: Data | null; readonly errors: readonly GraphqlError[] };

const ERRORS = `userErrors { __typename code message path
  ... on DuplicateRecord { resourceId } ... on IdempotencyKeyReused { differingPaths } }`;
export const ACCOUNT =
  '{ id displayName overCaptureAmount overCapturePercentage allowsCardLikeIdentifiers createdAt updatedAt }';
export const KEY_PAIR = `{ id displayName thumbprint algorithm scopes merchantAccountIds active expiresAt tokensNotBefore lastUsedAt
  createdAt updatedAt }`;

const DOCUMENTS = {
  createMerchantAccount: `mutation ($input: CreateMerchantAccountInput!, $key: String) {
    payload: createMerchantAccount(input: $input, idempotencyKey: $key) { node: merchantAccount ${ACCOUNT} ${ERRORS} replayed } }`,
  updateMerchantAccount: `mutation ($id: ID!, $input: UpdateMerchantAccountInput!) {
    payload: updateMerchantAccount(id: $id, input: $input) { node: merchantAccount ${ACCOUNT} ${ERRORS} } }`,
  createApiKeyPair: `mutation ($input: CreateApiKeyPairInput!, $key: String) {
    payload: createApiKeyPair(input: $input, idempotencyKey: $key) {
      node: apiKeyPair ${KEY_PAIR} privateKey ${ERRORS} replayed } }`,
  updateApiKeyPair: `mutation ($id: ID!, $input: UpdateApiKeyPairInput!) {
    payload: updateApiKeyPair(id: $id, input: $input) { node: apiKeyPair ${KEY_PAIR} ${ERRORS} } }`,
} as const;

/**
 * The accounts part of the API, on a separate service. `token` selects the caller, by default one with every right.
 */
export type AccountsApi = {
  readonly server: TestServer;
  createMerchantAccount(input: object, key?: string, token?: string): Promise<Payload<MerchantAccount>>;
  updateMerchantAccount(id: string, input: object, token?: string): Promise<Payload<MerchantAccount>>;
  createApiKeyPair(input: object, key?: string, token?: string): Promise<Payload<ApiKeyPair>>;
  updateApiKeyPair(id: string, input: object, token?: string): Promise<Payload<ApiKeyPair>>;
  /** Creates a key pair, and a token with all its scopes. */
  createUser(input: object): Promise<{ readonly pair: ApiKeyPair; readonly token: string }>;
  /** Runs any document. */
  ask<Data>(document: string, variables?: object, token?: string): Promise<Answered<Data>>;
  /** Reads every row of both tables and the number of events, to assert that nothing happened. */
  rows(): Promise<unknown>;
};

export async function startAccountsApi(): Promise<AccountsApi> {
  const server = await startTestServer();
  const { prisma } = server.app.db;
  const ask = async <Data>(
    document: string,
    variables: object = {},
    token?: string,
  ): Promise<Answered<Data>> => {
    const options: AskOptions = token === undefined ? {} : { token };
    const { body } = await server.graphql<Data>(document, { ...variables }, options);
    return { data: body.data ?? null, errors: body.errors ?? [] };
  };
  const run = async <Node>(
    name: keyof typeof DOCUMENTS,
    variables: object,
    token?: string,
  ): Promise<Payload<Node>> => {
    const { data, errors } = await ask<{ payload: Payload<Node> }>(DOCUMENTS[name], variables, token);
    if (!data) throw new Error(errors.map(({ message }) => message).join(' '));
    return data.payload;
  };
  const createApiKeyPair: AccountsApi['createApiKeyPair'] = (input, key, token) =>
    run(
      'createApiKeyPair',
      { input: { displayName: 'Key', algorithm: 'ES256', scopes: ['*.read'], ...input }, key },
      token,
    );
  return {
    server,
    ask,
    createMerchantAccount: (input, key, token) => run('createMerchantAccount', { input, key }, token),
    updateMerchantAccount: (id, input, token) => run('updateMerchantAccount', { id, input }, token),
    createApiKeyPair,
    updateApiKeyPair: (id, input, token) => run('updateApiKeyPair', { id, input }, token),
    createUser: async (input) => {
      const { node, privateKey } = await createApiKeyPair({ scopes: ['*.read', '*.write'], ...input });
      if (!node || !privateKey) throw new Error('No key pair was made.');
      return { pair: node, token: await mintFor(server, node, privateKey) };
    },
    rows: async () => ({
      accounts: await prisma.merchantAccount.findMany({ orderBy: { id: 'asc' } }),
      // The time of a key's last use changes with each request.
      keyPairs: await prisma.apiKeyPair.findMany({ orderBy: { id: 'asc' }, omit: { lastUsedAt: true } }),
      idempotencyKeys: await prisma.idempotencyKey.count(),
      events: await prisma.event.count(),
    }),
  };
}

/** Signs a token of an ES256 pair with all of its scopes. */
export const mintFor = (server: TestServer, pair: ApiKeyPair, privateKeyPem: string): Promise<string> =>
  mintToken({
    privateKeyPem,
    algorithm: 'es256',
    kid: pair.thumbprint,
    scopes: pair.scopes,
    issuer: 'tests',
    expiresInSeconds: 600,
    now: server.app.clock.now(),
    jti: server.app.ids.uuid(),
  });
