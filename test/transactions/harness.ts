import { startTestServer, type TestServer } from '../support/server.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';

/** A server with a payment service at a provider of our own, and sentences to set a test up with. */
export type Harness = {
  readonly server: TestServer;
  readonly provider: FakeProvider;
  readonly clock: ShiftedClock;
  create(input?: Partial<CreateInput>, key?: string): Promise<Payload>;
  capture(id: string, input?: FollowUpInput, key?: string): Promise<Payload>;
  refund(id: string, input?: FollowUpInput, key?: string): Promise<Payload>;
  void(id: string, key?: string): Promise<Payload>;
  authorized(amount?: number): Promise<string>;
  captured(amount?: number): Promise<string>;
  transaction(id: string): Promise<Payload['transaction']>;
  /** Names of all events, in the order in which they were written. */
  eventNames(): Promise<readonly string[]>;
  ledger(): Promise<readonly { kind: string; amount: number }[]>;
  stop(): Promise<void>;
};

export type CreateInput = Record<string, unknown>;
export type FollowUpInput = { amount?: number; reason?: string; externalIdentifier?: string };

/** The parts of a money mutation's payload that tests look at. */
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
  } | null;
  readonly userErrors: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[];
  }[];
  readonly replayed: boolean;
};

const TRANSACTION = `{ id status intent intentOutcome amount currency authorizedAmount capturedAmount refundedAmount
  capturable { amount currency } refundable { amount currency } errorCode rawResponseCode avsResponseCode cvvResponseCode
  authResponseCode card { scheme bin lastFour expirationDate fingerprint } metadata paymentServiceTransactionId
  authorizedAt capturedAt voidedAt captures { id amount status } refunds { id amount status } }`;

const ERRORS = `userErrors { __typename code message path ... on CaptureTooLarge { capturable { amount currency } }
  ... on RefundTooLarge { refundable { amount currency } } ... on OperationNotAllowed { status }
  ... on IdempotencyKeyReused { differingPaths } } replayed`;

const DOCUMENTS = {
  create: `mutation ($input: CreateTransactionInput!, $key: String) {
    payload: createTransaction(input: $input, idempotencyKey: $key) { transaction ${TRANSACTION} ${ERRORS} } }`,
  capture: `mutation ($id: ID!, $input: CaptureInput!, $key: String) {
    payload: captureTransaction(id: $id, input: $input, idempotencyKey: $key) {
      operation: capture { id amount status errorCode } transaction ${TRANSACTION} ${ERRORS} } }`,
  refund: `mutation ($id: ID!, $input: RefundInput!, $key: String) {
    payload: refundTransaction(id: $id, input: $input, idempotencyKey: $key) {
      operation: refund { id amount status errorCode } transaction ${TRANSACTION} ${ERRORS} } }`,
  void: `mutation ($id: ID!, $key: String) {
    payload: voidTransaction(id: $id, idempotencyKey: $key) {
      operation: void { id status errorCode } transaction ${TRANSACTION} ${ERRORS} } }`,
} as const;

/** A sandbox card that is approved. */
export const CARD = { number: '4111 1111 1111 1111', expirationDate: '03/30', securityCode: '100' };

export async function startHarness(): Promise<Harness> {
  const clock = createShiftedClock();
  const server = await startTestServer({ clock });
  const provider = await startFakeProvider();
  await createService(server, provider.url);

  const run = async (document: string, variables: Record<string, unknown>): Promise<Payload> => {
    const { body } = await server.graphql<{ payload: Payload }>(document, variables);
    if (!body.data) throw new Error(JSON.stringify(body.errors));
    return body.data.payload;
  };
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
  return {
    server,
    provider,
    clock,
    create,
    capture: (id, input = {}, key) => run(DOCUMENTS.capture, { id, input, key }),
    refund: (id, input = {}, key) => run(DOCUMENTS.refund, { id, input, key }),
    void: (id, key) => run(DOCUMENTS.void, { id, key }),
    authorized: (amount = 1299) => made({ amount }),
    captured: (amount = 1299) => made({ amount, intent: 'CAPTURE' }),
    transaction: async (id) => {
      const { body } = await server.graphql<{ transaction: Payload['transaction'] }>(
        `query ($id: ID!) { transaction(id: $id) ${TRANSACTION} }`,
        { id },
      );
      return body.data?.transaction ?? null;
    },
    eventNames: async () => {
      const rows = await server.app.db.prisma.event.findMany({ orderBy: { position: 'asc' } });
      return rows.map(({ name }) => name);
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

async function createService(server: TestServer, url: string): Promise<void> {
  const { body } = await server.graphql<{ createPaymentService: { paymentService: { id: string } | null } }>(
    `mutation ($input: CreatePaymentServiceInput!) {
      createPaymentService(input: $input) { paymentService { id } userErrors { message path } } }`,
    {
      input: {
        displayName: 'Provider of the test',
        paymentServiceDefinitionId: 'mock-card',
        fields: [
          { key: 'merchant_id', value: 'test' },
          { key: 'api_url', value: url },
        ],
        acceptedCurrencies: ['USD'],
        acceptedCountries: ['US', 'DE'],
      },
    },
  );
  if (!body.data?.createPaymentService.paymentService) throw new Error(JSON.stringify(body));
}
