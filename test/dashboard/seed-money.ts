import { randomUUID } from 'node:crypto';
import { inboxAt } from '../transactions/inbox.ts';
import type { FakeProvider } from '../support/fake-provider.ts';
import { untilFound } from '../support/until.ts';
import type { TestServer } from '../support/server.ts';
import { createPayment, createService } from './seed.ts';

type Server = Pick<TestServer, 'graphql'>;

type Payment = {
  readonly amount: number;
  readonly currency: string;
  readonly paymentServiceTransactionId: string;
  readonly paymentService: { readonly webhookUrl: string };
  readonly disputes: readonly { readonly id: string; readonly status: string }[];
};

async function readPayment(server: Server, id: string): Promise<Payment> {
  const { body } = await server.graphql<{ transaction: Payment | null }>(
    `query ($id: ID!) { transaction(id: $id) {
      amount currency paymentServiceTransactionId paymentService { webhookUrl } disputes { id status } } }`,
    { id },
  );
  if (!body.data?.transaction) throw new Error(JSON.stringify(body));
  return body.data.transaction;
}

const DAY_MS = 24 * 3_600_000;

/** Posts the provider's report of a chargeback of a captured payment. Returns the id of the dispute. */
export async function openDispute(
  server: Server,
  paymentId: string,
  report: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const payment = await readPayment(server, paymentId);
  const { amount, currency, paymentServiceTransactionId } = payment;
  const now = Date.now();
  const status = await inboxAt(payment.paymentService.webhookUrl).tell({
    ...{ event: 'dispute.created', payment_service_transaction_id: paymentServiceTransactionId },
    ...{ dispute_reference: `dp_${randomUUID()}`, stage: 'chargeback', status: 'needs_response' },
    ...{ reason: 'product_not_received', reason_code: '13.1', amount, currency },
    occurred_at: new Date(now).toISOString(),
    respond_by: new Date(now + 7 * DAY_MS).toISOString(),
    ...report,
  });
  if (status !== 200) throw new Error(`The report of a dispute was answered with ${status}.`);
  return untilFound(async () => (await readPayment(server, paymentId)).disputes[0]?.id ?? null);
}

/** Reads the state of a dispute with its responses. */
export async function readDispute(server: Server, id: string): Promise<unknown> {
  const { body } = await server.graphql<{ dispute: unknown }>(
    `query ($id: ID!) { dispute(id: $id) { status responses { kind status } } }`,
    { id },
  );
  return body.data?.dispute;
}

/** An entry on the provider's wire that names no operation. */
const ENTRY = {
  ...{ idempotency_key: null, reference: null, payment_id: null, dispute: null, payout: 'po_1' },
  ...{ currency: 'EUR', amount: null, original_currency: null, exchange_rate: null },
} as const;

/** The payments of a settled day. */
export type Settled = {
  /** The payment that settles as captured. */
  readonly fitting: string;
  /** The payment that settles with one euro too little. */
  readonly differing: string;
  /** The entry of the payment that differs. */
  readonly entry: string;
};

/** Settles a day of a provider: a charge that fits, one with too little, a fee and the payout. */
export async function settle(server: Server, bank: FakeProvider): Promise<Settled> {
  const paymentServiceId = await createService(server, { displayName: 'Nordic acquirer', apiUrl: bank.url });
  const pay = (amount: number) => createPayment(server, { amount, paymentServiceId });
  const [fitting, differing] = [await pay(5480), await pay(7450)];
  const [first, second] = [await readPayment(server, fitting), await readPayment(server, differing)];
  const day = new Date().toISOString().slice(0, 10);
  const nameOf = ({ paymentServiceTransactionId: name }: Payment) => ({ reference: name, payment_id: name });
  bank.settlements.answerNext({
    entries: [
      { id: 'st_fee', type: 'fee', gross: 0, fee: 250, net: -250 },
      { id: 'st_one', type: 'charge', gross: 5480, fee: 240, net: 5240, ...nameOf(first) },
      { id: 'st_two', type: 'charge', gross: 7350, fee: 160, net: 7190, ...nameOf(second) },
      { id: 'st_out', type: 'payout', gross: -12_180, fee: 0, net: -12_180 },
    ].map((entry) => ({ ...ENTRY, settled_on: day, ...entry })),
    ...{ cursor: 'the end', more: false },
  });
  await server.graphql(
    `mutation ($id: ID!) { updatePaymentService(id: $id, input: { settlementReportingEnabled: true }) {
      userErrors { message } } }`,
    { id: paymentServiceId },
  );
  const entry = await untilFound(async () => (await readDifference(server, differing))?.id ?? null);
  return { fitting, differing, entry };
}

type Difference = { readonly id: string; readonly reason: string; readonly explanation: string | null };
type Entries = { readonly nodes: readonly { readonly difference: Difference | null }[] };

/** Reads the first difference of a payment's entries. */
export async function readDifference(server: Server, transactionId: string): Promise<Difference | null> {
  const { body } = await server.graphql<{ settlements: Entries }>(
    `query ($transactionId: ID) { settlements(filter: { transactionId: $transactionId }) {
      nodes { difference { id reason explanation } } } }`,
    { transactionId },
  );
  return body.data?.settlements.nodes.find(({ difference }) => difference !== null)?.difference ?? null;
}

/** Sends a mutation under the name `done`, and reads an id from its payload. */
async function make(
  server: Server,
  mutation: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { body } = await server.graphql<{ done: { readonly id: string | null } }>(mutation, variables);
  const id = body.data?.done.id;
  if (id == null) throw new Error(JSON.stringify(body));
  return id;
}

/** Creates a payment service of the sandbox's gift cards in euros. */
export const createGiftCardService = (server: Server): Promise<string> =>
  make(
    server,
    `mutation ($input: CreatePaymentServiceInput!) { done: createPaymentService(input: $input) {
      id: paymentServiceId userErrors { message path } } }`,
    {
      input: {
        ...{ displayName: 'Gift cards', paymentServiceDefinitionId: 'mock-gift-card' },
        ...{ acceptedCurrencies: ['EUR'], acceptedCountries: ['DE'] },
        fields: [
          { key: 'merchant_id', value: 'shop' },
          { key: 'currency', value: 'EUR' },
        ],
      },
    },
  );

/** Stores a gift card, perhaps of a buyer. The PIN is a zero and the balance. Returns its id. */
export const storeGiftCard = (
  server: Server,
  number: string,
  pin: string,
  buyerId: string | null = null,
): Promise<string> =>
  make(
    server,
    `mutation ($input: StoreGiftCardInput!) { done: storeGiftCard(input: $input) {
      id: giftCardId userErrors { message path } } }`,
    { input: { number, pin, buyerId } },
  );

/** Pays with a stored gift card, and the rest with a card. Returns the id of the payment. */
export const payWithGiftCard = (server: Server, amount: number, giftCardId: string): Promise<string> =>
  make(
    server,
    `mutation ($input: CreateTransactionInput!) { done: createTransaction(input: $input) {
      id: transactionId userErrors { message path } } }`,
    {
      input: {
        ...{ amount, currency: 'EUR', country: 'DE', intent: 'CAPTURE', giftCards: [{ id: giftCardId }] },
        paymentMethod: { card: { number: '4111111111111111', expirationDate: '12/40', securityCode: '123' } },
      },
    },
  );
