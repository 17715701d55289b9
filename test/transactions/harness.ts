import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { documented } from '../events/payload-faults.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';

/** A server with a payment service at a fake provider, and helpers for setting up tests. */
export type Harness = {
  readonly server: TestServer;
  readonly provider: FakeProvider;
  readonly clock: ShiftedClock;
  /** Advances the clock, and continues with a valid token. */
  pass(ms: number): Promise<void>;
  /** Sends a document with a valid token. */
  ask<Data>(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
  create(input?: Partial<CreateInput>, key?: string): Promise<Payload>;
  increase(id: string, input: FollowUpInput, key?: string): Promise<Payload>;
  reauthorize(id: string, key?: string): Promise<Payload>;
  capture(id: string, input?: FollowUpInput, key?: string): Promise<Payload>;
  refund(id: string, input?: FollowUpInput, key?: string): Promise<Payload>;
  void(id: string, key?: string): Promise<Payload>;
  cancel(id: string, key?: string): Promise<Payload>;
  sync(id: string): Promise<Synced>;
  authorized(amount?: number): Promise<string>;
  captured(amount?: number): Promise<string>;
  transaction(id: string): Promise<Payload['transaction']>;
  /** Lists the names of all events in the order of writing. */
  eventNames(): Promise<readonly string[]>;
  ledger(): Promise<readonly { kind: string; amount: number }[]>;
  /** Starts recording the provider's calls and the new events. */
  since(): Promise<Since>;
  stop(): Promise<void>;
};

export type Since = {
  /** The operations that the provider was called for, in order. */
  calls(): readonly string[];
  eventNames(): Promise<readonly string[]>;
};

export type CreateInput = Record<string, unknown>;
export type FollowUpInput = {
  amount?: number;
  final?: boolean;
  reason?: string;
  externalIdentifier?: string;
};

/** The fields of a money mutation's payload for tests. */
export type Payload = {
  readonly transaction: {
    readonly id: string;
    readonly status: string;
    readonly authorizedAmount: number;
    readonly capturedAmount: number;
    readonly refundedAmount: number;
    readonly capturable: { readonly amount: number };
    readonly refundable: { readonly amount: number };
    readonly [field: string]: unknown;
  } | null;
  readonly operation: {
    readonly id: string;
    readonly status: string;
    readonly amount: number;
    readonly errorCode: string | null;
    readonly unknown: { readonly cause: string; readonly nextAttemptAt: string | null } | null;
  } | null;
  readonly userErrors: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[];
  }[];
  readonly replayed: boolean;
};

/** The fields of a sync's payload for tests. */
export type Synced = Pick<Payload, 'transaction' | 'userErrors'> & {
  readonly operations: readonly {
    readonly id: string;
    readonly kind: string;
    readonly status: string;
    readonly acceptedAt: string | null;
    readonly unknown: { readonly cause: string } | null;
  }[];
};

const TRANSACTION = `{ id status intent intentOutcome amount currency authorizedAmount capturedAmount refundedAmount
  capturable { amount currency } refundable { amount currency } errorCode rawResponseCode avsResponseCode cvvResponseCode
  authResponseCode card { scheme bin lastFour expirationDate fingerprint } metadata paymentServiceTransactionId
  increasePendingAmount reauthorizationPending reauthorizedAt authorizedAt capturedAt voidedAt canceledAt captures { id amount status } refunds { id amount status } }`;

const ERRORS = `userErrors { __typename code message path ... on CaptureTooLarge { capturable { amount currency } }
  ... on RefundTooLarge { refundable { amount currency } } ... on OperationNotAllowed { status } ... on OperationNotSupported { feature }
  ... on IdempotencyKeyReused { differingPaths } } replayed`;

const UNKNOWN = 'unknown { cause since nextAttemptAt }';

const DOCUMENTS = {
  create: `mutation ($input: CreateTransactionInput!, $key: String) {
    payload: createTransaction(input: $input, idempotencyKey: $key) { transaction ${TRANSACTION} ${ERRORS} } }`,
  capture: `mutation ($id: ID!, $input: CaptureInput!, $key: String) {
    payload: captureTransaction(id: $id, input: $input, idempotencyKey: $key) {
      operation: capture { id amount final status errorCode ${UNKNOWN} } transaction ${TRANSACTION} ${ERRORS} } }`,
  refund: `mutation ($id: ID!, $input: RefundInput!, $key: String) {
    payload: refundTransaction(id: $id, input: $input, idempotencyKey: $key) {
      operation: refund { id amount status errorCode ${UNKNOWN} } transaction ${TRANSACTION} ${ERRORS} } }`,
  increase: `mutation ($id: ID!, $input: IncreaseAuthorizationInput!, $key: String) {
    payload: increaseAuthorization(id: $id, input: $input, idempotencyKey: $key) {
      operation: increase { id kind amount status errorCode ${UNKNOWN} } transaction ${TRANSACTION} ${ERRORS} } }`,
  reauthorize: `mutation ($id: ID!, $key: String) {
    payload: reauthorizeTransaction(id: $id, idempotencyKey: $key) {
      operation: reauthorization { id kind amount status errorCode ${UNKNOWN} } transaction ${TRANSACTION} ${ERRORS} } }`,
  cancel: `mutation ($id: ID!, $key: String) {
    payload: cancelTransaction(id: $id, idempotencyKey: $key) {
      operation: cancel { id status errorCode ${UNKNOWN} } transaction ${TRANSACTION} ${ERRORS} } }`,
  void: `mutation ($id: ID!, $key: String) {
    payload: voidTransaction(id: $id, idempotencyKey: $key) {
      operation: void { id status errorCode ${UNKNOWN} } transaction ${TRANSACTION} ${ERRORS} } }`,
  sync: `mutation ($id: ID!) { payload: syncTransaction(id: $id) {
    operations { id kind status acceptedAt unknown { cause } } transaction ${TRANSACTION}
    userErrors { code message path ... on OperationNotSupported { feature } } } }`,
} as const;

/** A sandbox card that the provider approves. */
export const CARD = { number: '4111 1111 1111 1111', expirationDate: '03/30', securityCode: '100' };

export type HarnessOptions = Omit<TestServerOptions, 'clock'> & { readonly clock?: ShiftedClock };

/** Starts a harness. Its payment service has one of the sandbox's definitions, `mock-card` by default. */
export async function startHarness(
  definitionId = 'mock-card',
  { clock = createShiftedClock(), ...options }: HarnessOptions = {},
): Promise<Harness> {
  const server = await startTestServer({ clock, ...options });
  const provider = await startFakeProvider({ now: () => clock.now() });
  await createService(server, provider.url, { definitionId });

  let { token } = server;
  const ask: Harness['ask'] = async <Data>(document: string, variables = {}) => {
    const { body } = await server.graphql<Data>(document, variables, { token });
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data;
  };
  const run = async <Shape = Payload>(document: string, variables: Record<string, unknown>) =>
    (await ask<{ payload: Shape }>(document, variables)).payload;
  const create: Harness['create'] = (input = {}, key) =>
    run(DOCUMENTS.create, {
      input: { amount: 1299, currency: 'USD', paymentMethod: { card: CARD }, ...input },
      key,
    });
  const made = async (input: Partial<CreateInput>): Promise<string> => {
    const { transaction } = await create(input);
    if (!transaction) throw new Error('No transaction was made');
    return transaction.id;
  };
  const eventNames = async (): Promise<readonly string[]> => {
    const rows = await server.app.db.prisma.event.findMany({ orderBy: { position: 'asc' } });
    return documented(rows).map(({ name }) => name);
  };
  return {
    server,
    provider,
    clock,
    pass: async (ms) => {
      clock.advance(ms);
      token = await server.mint();
    },
    ask,
    create,
    increase: (id, input, key) => run(DOCUMENTS.increase, { id, input, key }),
    reauthorize: (id, key) => run(DOCUMENTS.reauthorize, { id, key }),
    capture: (id, input = {}, key) => run(DOCUMENTS.capture, { id, input, key }),
    refund: (id, input = {}, key) => run(DOCUMENTS.refund, { id, input, key }),
    void: (id, key) => run(DOCUMENTS.void, { id, key }),
    cancel: (id, key) => run(DOCUMENTS.cancel, { id, key }),
    sync: (id) => run<Synced>(DOCUMENTS.sync, { id }),
    authorized: (amount = 1299) => made({ amount }),
    captured: (amount = 1299) => made({ amount, intent: 'CAPTURE' }),
    transaction: async (id) => {
      const document = `query ($id: ID!) { transaction(id: $id) ${TRANSACTION} }`;
      return (await ask<{ transaction: Payload['transaction'] }>(document, { id })).transaction;
    },
    eventNames,
    since: async () => {
      const calls = provider.calls.length;
      const events = (await eventNames()).length;
      return {
        calls: () => provider.calls.slice(calls).map(({ operation }) => operation),
        eventNames: async () => (await eventNames()).slice(events),
      };
    },
    ledger: () =>
      server.app.db.prisma.ledgerEntry.findMany({
        orderBy: { id: 'asc' },
        select: { kind: true, amount: true },
      }),
    stop: async () => {
      await provider.close();
      await server.stop();
    },
  };
}

export type ServiceSettings = {
  readonly definitionId?: string;
  readonly displayName?: string;
  readonly currencies?: readonly string[];
  readonly countries?: readonly string[];
  /** With a secret, the service takes only signed webhooks. */
  readonly webhookSecret?: string;
  /** Further credentials. */
  readonly fields?: Readonly<Record<string, string>>;
};

/** Creates a payment service at a fake provider and returns its id. Null stands for the built-in provider. */
export async function createService(
  server: Pick<TestServer, 'graphql'>,
  url: string | null,
  {
    definitionId = 'mock-card',
    displayName = 'Provider of the test',
    currencies = ['USD'],
    countries = ['US', 'DE'],
    webhookSecret,
    fields = {},
  }: ServiceSettings = {},
): Promise<string> {
  const { body } = await server.graphql<{ createPaymentService: { paymentService: { id: string } | null } }>(
    `mutation ($input: CreatePaymentServiceInput!) {
      createPaymentService(input: $input) { paymentService { id } userErrors { message path } } }`,
    {
      input: {
        displayName,
        paymentServiceDefinitionId: definitionId,
        fields: [
          { key: 'merchant_id', value: 'test' },
          ...(url === null ? [] : [{ key: 'api_url', value: url }]),
          ...Object.entries(fields).map(([key, value]) => ({ key, value })),
          ...(webhookSecret === undefined ? [] : [{ key: 'webhook_secret', value: webhookSecret }]),
        ],
        acceptedCurrencies: currencies,
        acceptedCountries: countries,
      },
    },
  );
  const service = body.data?.createPaymentService.paymentService;
  if (!service) throw new Error(JSON.stringify(body));
  return service.id;
}
