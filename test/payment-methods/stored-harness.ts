import { documented } from '../events/payload-faults.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { relayAll } from '../support/relay-all.ts';

/** Every field of a payment method without arguments. */
export const METHOD = `id merchantAccountId buyer { id } method mode instrumentType status label scheme additionalSchemes bin
  lastFour expirationDate issuerCountry bankScheme fingerprint externalIdentifier schemeTransactionId
  schemeTransactionIdScheme transactionLinkId country currency approvalUrl usageCount lastUsedAt citUsageCount citLastUsedAt
  createdAt updatedAt`;
const ERRORS = 'userErrors { code message path }';

export type Shown = { readonly id: string; readonly status: string; readonly [field: string]: unknown };
export type UserError = {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
};
export type Answered = {
  readonly paymentMethod: Shown | null;
  readonly userErrors: readonly UserError[];
};
export type Deleted = Answered & { readonly deletedId: string | null };
export type Input = Readonly<Record<string, unknown>>;

/** A server, and helpers for stored payment methods. Each accepts another token. */
export type StoredHarness = {
  readonly server: TestServer;
  ask<Data>(document: string, variables: Input, token?: string): Promise<Data>;
  store(input: Input, token?: string): Promise<Answered>;
  /** Stores a payment method and throws when it is refused. */
  stored(input: Input, token?: string): Promise<Shown>;
  update(id: string, input: Input, token?: string): Promise<Answered>;
  remove(id: string, token?: string): Promise<Deleted>;
  read(id: string, token?: string): Promise<Shown | null>;
  /** Creates a buyer and returns its id. */
  buyer(input?: Input, token?: string): Promise<string>;
  /** Lists names and targets of the events about a payment method, in order. */
  events(id: string): Promise<readonly (readonly [string, Input])[]>;
  stop(): Promise<void>;
};

export async function startStoredHarness(
  options: Parameters<typeof startTestServer>[0] = {},
): Promise<StoredHarness> {
  const server = await startTestServer(options);
  const ask = async <Data>(document: string, variables: Input, token = server.token): Promise<Data> => {
    const { body } = await server.graphql<{ answer: Data }>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.answer;
  };
  const store = (input: Input, token?: string): Promise<Answered> => ask(STORE, { input }, token);
  return {
    server,
    ask,
    store,
    stored: async (input, token) => {
      const { paymentMethod, userErrors } = await store(input, token);
      if (!paymentMethod) throw new Error(JSON.stringify(userErrors));
      return paymentMethod;
    },
    update: (id, input, token) => ask(UPDATE, { id, input }, token),
    remove: (id, token) => ask(DELETE, { id }, token),
    read: (id, token) => ask(READ, { id }, token),
    buyer: async (input = {}, token) => {
      const made = await ask<{ readonly buyer: { readonly id: string } }>(BUYER, { input }, token);
      return made.buyer.id;
    },
    events: async (id) => {
      await relayAll(server.app);
      const notified: (readonly [string, Input])[] = [];
      for (let after: string | null = null, more = true; more;) {
        const { nodes, pageInfo }: Feed = await ask<Feed>(FEED, { after });
        for (const { name, payload } of documented(nodes))
          notified.push([name, (JSON.parse(payload) as { target: Input }).target]);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
      }
      return notified.filter(([, target]) => target['id'] === id);
    },
    stop: () => server.stop(),
  };
}

const FEED = `query ($after: String) { answer: events(first: 100, after: $after) {
  nodes { name payload } pageInfo { hasNextPage endCursor } } }`;
type Feed = {
  readonly nodes: readonly { readonly name: string; readonly payload: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

const STORE = `mutation ($input: StorePaymentMethodInput!) {
  answer: storePaymentMethod(input: $input) { paymentMethod { ${METHOD} } ${ERRORS} replayed } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdatePaymentMethodInput!) {
  answer: updatePaymentMethod(id: $id, input: $input) { paymentMethod { ${METHOD} } ${ERRORS} } }`;
const DELETE = `mutation ($id: ID!) {
  answer: deletePaymentMethod(id: $id) { deletedId paymentMethod { ${METHOD} } ${ERRORS} } }`;
const READ = `query ($id: ID!) { answer: paymentMethod(id: $id) { ${METHOD} } }`;
const BUYER = `mutation ($input: CreateBuyerInput!) { answer: createBuyer(input: $input) { buyer { id } } }`;

export const CARD = { number: '4111 1111 1111 1111', expirationDate: '12/40', securityCode: '987' };

/** Creates a service with mandates and returns its id. */
export async function mandateService(
  harness: StoredHarness,
  url: string | null,
  token?: string,
): Promise<string> {
  const made = await harness.ask<{
    readonly paymentService: { readonly id: string } | null;
    readonly userErrors: unknown;
  }>(
    `mutation ($input: CreatePaymentServiceInput!) { answer: createPaymentService(input: $input) {
      paymentService { id } userErrors { message } } }`,
    {
      input: {
        displayName: 'Bank of the test',
        paymentServiceDefinitionId: 'mock-instant-bank',
        fields: [
          { key: 'merchant_id', value: 'test' },
          ...(url === null ? [] : [{ key: 'api_url', value: url }]),
        ],
        acceptedCurrencies: ['GBP'],
        acceptedCountries: ['GB'],
      },
    },
    token,
  );
  if (!made.paymentService) throw new Error(JSON.stringify(made.userErrors));
  return made.paymentService.id;
}

/** Returns the input for storing a mandate at a service. */
export const mandateAt = (paymentServiceId: string, mandate: string): Input => ({
  instrument: {
    instantBankMandate: {
      method: 'paybybank',
      paymentServiceId,
      mandate,
      country: 'GB',
      currency: 'GBP',
    },
  },
});
