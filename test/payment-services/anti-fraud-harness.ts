import type { TestServer } from '../support/server.ts';

export type Input = Readonly<Record<string, unknown>>;
export type Service = { readonly id: string; readonly [field: string]: unknown };
export type Payload = {
  readonly antiFraudService: Service | null;
  readonly userErrors: readonly {
    readonly code: string;
    readonly path: readonly string[];
    readonly resourceId?: string;
  }[];
  readonly replayed?: boolean;
};
export type Connection = {
  readonly nodes: readonly Service[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** Helpers for tests of anti-fraud services, for one merchant account. */
export type AntiFraudHarness = {
  readonly merchantAccountId: string;
  create(change?: Input, key?: string): Promise<Payload>;
  /** Creates a service. Throws when it is refused. */
  made(change?: Input): Promise<Service>;
  update(id: string, input: Input): Promise<Payload>;
  delete(id: string): Promise<Payload>;
  get(id: string): Promise<Service | null>;
  list(page?: Input): Promise<Connection>;
};

/** A service of the sandbox, with a secret. */
export const CHECKS = {
  displayName: 'Checks',
  antiFraudServiceDefinitionId: 'mock-anti-fraud',
  fields: [
    { key: 'merchant_id', value: 'm-1' },
    { key: 'api_key', value: 'canary-first-5d1c0f' },
  ],
};

/** Every field of an anti-fraud service. */
const SERVICE = `{ id type merchantAccountId antiFraudServiceDefinitionId displayName fields { key value } active
  newerInterfaceEnabled fallback interfaceVersion isDeleted createdAt updatedAt }`;
const ERRORS = 'userErrors { code path ... on DuplicateRecord { resourceId } }';

const DOCUMENTS = {
  create: `mutation ($input: CreateAntiFraudServiceInput!, $key: String) {
    answer: createAntiFraudService(input: $input, idempotencyKey: $key) { antiFraudService ${SERVICE} ${ERRORS} replayed } }`,
  update: `mutation ($id: ID!, $input: UpdateAntiFraudServiceInput!) {
    answer: updateAntiFraudService(id: $id, input: $input) { antiFraudService ${SERVICE} ${ERRORS} } }`,
  delete: `mutation ($id: ID!) { answer: deleteAntiFraudService(id: $id) { antiFraudService ${SERVICE} ${ERRORS} } }`,
  get: `query ($id: ID!) { answer: antiFraudService(id: $id) ${SERVICE} }`,
  list: `query ($deleted: Boolean! = false, $first: Int, $after: String, $last: Int, $before: String) {
    answer: antiFraudServices(deleted: $deleted, first: $first, after: $after, last: $last, before: $before) {
      nodes ${SERVICE} pageInfo { hasNextPage endCursor } } }`,
} as const;

/** Creates a harness with a new merchant account on this server. */
export async function openAntiFraudHarness(server: TestServer): Promise<AntiFraudHarness> {
  const { id: merchantAccountId, token } = await server.createMerchantAccount();
  const ask = async <Answer>(document: string, variables: Input): Promise<Answer> => {
    const { body } = await server.graphql<{ answer: Answer }>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  const create: AntiFraudHarness['create'] = (change = {}, key) =>
    ask(DOCUMENTS.create, { input: { ...CHECKS, ...change }, key });
  return {
    merchantAccountId,
    create,
    made: async (change) => {
      const { antiFraudService, userErrors } = await create(change);
      if (!antiFraudService) throw new Error(JSON.stringify(userErrors));
      return antiFraudService;
    },
    update: (id, input) => ask(DOCUMENTS.update, { id, input }),
    delete: (id) => ask(DOCUMENTS.delete, { id }),
    get: (id) => ask(DOCUMENTS.get, { id }),
    list: (page = {}) => ask(DOCUMENTS.list, page),
  };
}
