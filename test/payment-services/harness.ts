import { startTestServer, type TestServer } from '../support/server.ts';

/** A server, and helpers for tests of payment services. */
export type Harness = {
  readonly server: TestServer;
  readonly merchantAccountId: string;
  create(change?: Input, key?: string): Promise<Payload>;
  update(id: string, input: Input): Promise<Payload>;
  delete(id: string): Promise<Payload>;
  get(id: string): Promise<Service | null>;
  list(page?: Input): Promise<Connection>;
  /** Reads the ids of a page, even of one too long for all fields. */
  ids(page: Input): Promise<readonly string[]>;
  /** Returns the same helpers for a new merchant account. */
  rival(): Promise<Harness>;
  /** Creates a service. Throws when it is refused. */
  made(change?: Input): Promise<Service>;
  /** Reads the whole database as text. */
  dump(): Promise<string>;
  stop(): Promise<void>;
};

export type Input = Readonly<Record<string, unknown>>;
export type UserError = { readonly code: string; readonly message: string; readonly path: readonly string[] };
export type Service = { readonly id: string; readonly [field: string]: unknown };
export type Payload = {
  readonly paymentService: Service | null;
  readonly userErrors: readonly UserError[];
  readonly replayed?: boolean;
};
export type Connection = {
  readonly nodes: readonly Service[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

/** Every field of a payment service. */
export const SERVICE = `{ id type merchantAccountId paymentServiceDefinitionId method displayName position
  acceptedCurrencies acceptedCountries paymentMethodTokenizationEnabled networkTokensEnabled openLoop
  settlementReportingEnabled threeDSecureEnabled
  merchantProfile { scheme merchantAcquirerBin merchantAcquirerId merchantName merchantCountryCode
    merchantCategoryCode merchantUrl createdAt }
  webhookUrl fields { key value } reportingFields { key value } active status statusReason statusCheckedAt isDeleted createdAt updatedAt }`;

const ERRORS = `userErrors { __typename code message path ... on IdempotencyKeyReused { differingPaths } }`;

const PAGE = `($method: String, $deleted: Boolean! = false, $first: Int, $after: String, $last: Int, $before: String)`;
const PASSED = `(method: $method, deleted: $deleted, first: $first, after: $after, last: $last, before: $before)`;

const DOCUMENTS = {
  create: `mutation ($input: CreatePaymentServiceInput!, $key: String) {
    answer: createPaymentService(input: $input, idempotencyKey: $key) { paymentService ${SERVICE} ${ERRORS} replayed } }`,
  update: `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
    answer: updatePaymentService(id: $id, input: $input) { paymentService ${SERVICE} ${ERRORS} } }`,
  delete: `mutation ($id: ID!) { answer: deletePaymentService(id: $id) { paymentService ${SERVICE} ${ERRORS} } }`,
  get: `query ($id: ID!) { answer: paymentService(id: $id) ${SERVICE} }`,
  list: `query ${PAGE} { answer: paymentServices${PASSED} { nodes ${SERVICE} edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  ids: `query ${PAGE} { answer: paymentServices${PASSED} { nodes { id } } }`,
} as const;

/** The input of a sandbox card service that accepts USD in the US. */
export const CARDS = {
  displayName: 'Cards',
  paymentServiceDefinitionId: 'mock-card',
  fields: [{ key: 'merchant_id', value: 'm-1' }],
  acceptedCurrencies: ['USD'],
  acceptedCountries: ['US'],
};

/** A profile within every limit. */
export const PROFILE = {
  scheme: 'VISA',
  merchantAcquirerBin: '12345678901',
  merchantAcquirerId: 'a'.repeat(35),
  merchantName: 'n'.repeat(40),
  merchantCountryCode: '840',
  merchantCategoryCode: '5411',
  merchantUrl: 'https://shop.example/path?query=1',
};

export const startHarness = async (): Promise<Harness> => {
  const server = await startTestServer();
  return harnessOf(server, server.merchantAccountId, server.token);
};

function harnessOf(server: TestServer, merchantAccountId: string, token: string): Harness {
  const ask = async <Answer>(document: string, variables: Input): Promise<Answer> => {
    const { body } = await server.graphql<{ answer: Answer }>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  const create: Harness['create'] = (change = {}, key) =>
    ask(DOCUMENTS.create, { input: { ...CARDS, ...change }, key });
  return {
    server,
    merchantAccountId,
    create,
    update: (id, input) => ask(DOCUMENTS.update, { id, input }),
    delete: (id) => ask(DOCUMENTS.delete, { id }),
    get: (id) => ask(DOCUMENTS.get, { id }),
    list: (page = {}) => ask(DOCUMENTS.list, page),
    ids: async (page) => {
      const { nodes } = await ask<Pick<Connection, 'nodes'>>(DOCUMENTS.ids, page);
      return nodes.map(({ id }) => id);
    },
    rival: async () => {
      const rival = await server.createMerchantAccount();
      return harnessOf(server, rival.id, rival.token);
    },
    made: async (change) => {
      const { paymentService, userErrors } = await create(change);
      if (!paymentService) throw new Error(JSON.stringify(userErrors));
      return paymentService;
    },
    dump: () => dumpOf(server),
    stop: () => server.stop(),
  };
}

async function dumpOf({ app: { db } }: TestServer): Promise<string> {
  const tables = await db.query<{ name: string }>({
    name: 'tables',
    text: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    values: [],
  });
  const texts = tables.map(async ({ name }) => {
    const rows = await db.query<{ row: string }>({
      name: `dump_${name}`,
      text: `SELECT t::text AS row FROM "${name}" t`,
      values: [],
    });
    return [name, ...rows.map(({ row }) => row)].join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

/** Lists the refused paths, for example `input.displayName`. */
export const pathsOf = ({ userErrors }: Payload): string[] => userErrors.map(({ path }) => path.join('.'));
