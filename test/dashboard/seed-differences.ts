import { randomUUID } from 'node:crypto';
import { inboxAt, type Reported } from '../transactions/inbox.ts';
import type { TestServer } from '../support/server.ts';
import { untilFound } from '../support/until.ts';
import { createPayment } from './seed.ts';

type Server = Pick<TestServer, 'graphql'>;

/** A payment with its difference. */
export type Differing = { readonly payment: string; readonly difference: string };

/** The refund that the provider of the sandbox declines at first. */
const DECLINED = 520_002;

type Payment = {
  readonly paymentServiceTransactionId: string;
  readonly paymentService: { readonly webhookUrl: string };
  readonly operations: readonly { readonly kind: string; readonly paymentServiceKey: string }[];
};

/** Posts a report of the provider about a payment. */
export async function report(server: Server, payment: string, reported: Reported): Promise<void> {
  const { paymentService, paymentServiceTransactionId } = await readPayment(server, payment);
  const status = await inboxAt(paymentService.webhookUrl).tell({
    ...{ payment_service_reference: `re_${randomUUID()}`, currency: 'EUR' },
    ...{ payment_service_transaction_id: paymentServiceTransactionId, ...reported },
  });
  if (status !== 200) throw new Error(`The report was answered with ${status}.`);
}

async function readPayment(server: Server, id: string): Promise<Payment> {
  const { body } = await server.graphql<{ transaction: Payment | null }>(
    `query ($id: ID!) { transaction(id: $id) { paymentServiceTransactionId paymentService { webhookUrl }
      operations { kind paymentServiceKey } } }`,
    { id },
  );
  if (!body.data?.transaction) throw new Error(JSON.stringify(body));
  return body.data.transaction;
}

/** Waits for the difference of a payment. */
async function found(server: Server, payment: string): Promise<Differing> {
  const difference = await untilFound(async () => (await differencesOf(server, payment))[0]?.id ?? null);
  return { payment, difference };
}

type Difference = { readonly id: string; readonly state: string; readonly reason: string | null };

/** Reads the differences of a payment, newest first. */
export async function differencesOf(server: Server, transactionId: string): Promise<readonly Difference[]> {
  const { body } = await server.graphql<{ differences: { readonly nodes: readonly Difference[] } }>(
    `query ($transactionId: ID) { differences(filter: { transactionId: $transactionId }) {
      nodes { id state reason } } }`,
    { transactionId },
  );
  return body.data?.differences.nodes ?? [];
}

/** Creates a captured payment whose refund was declined, and then succeeded by a report. An adoption books the report. */
export async function seedContradicted(server: Server, reference: string | null = null): Promise<Differing> {
  const payment = await createPayment(server, { amount: 750_000, ...(reference !== null && { reference }) });
  await server.graphql(
    `mutation ($id: ID!, $amount: Int) { refundTransaction(id: $id, input: { amount: $amount }) {
      userErrors { message } } }`,
    { id: payment, amount: DECLINED },
  );
  const { operations } = await readPayment(server, payment);
  const key = operations.find(({ kind }) => kind === 'REFUND')?.paymentServiceKey;
  await report(server, payment, { event: 'refund.succeeded', idempotency_key: key, amount: DECLINED });
  return found(server, payment);
}

/** Creates a captured payment with a reported refund in another currency. Nothing can be booked. */
export async function seedOtherMoney(server: Server): Promise<Differing> {
  const payment = await createPayment(server, { amount: 5480 });
  await report(server, payment, { event: 'refund.succeeded', amount: 400, currency: 'USD' });
  return found(server, payment);
}

/** Creates an authorised payment of which the provider captured more. The capture is booked, and needs a note. */
export async function seedTooMuch(server: Server): Promise<Differing> {
  const payment = await createPayment(server, { amount: 8900, authorizeOnly: true });
  await report(server, payment, { event: 'capture.succeeded', amount: 9900 });
  return found(server, payment);
}

/** Creates a captured payment with a part that was refunded in the pages of the provider. */
export async function seedElsewhere(server: Server): Promise<string> {
  const payment = await createPayment(server, { amount: 5480 });
  await report(server, payment, { event: 'refund.succeeded', amount: 1290 });
  await untilFound(async () => {
    const { operations } = await readPayment(server, payment);
    return operations.find(({ kind }) => kind === 'REFUND') ?? null;
  });
  return payment;
}
