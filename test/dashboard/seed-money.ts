import { randomUUID } from 'node:crypto';
import { inboxAt } from '../transactions/inbox.ts';
import { untilFound } from '../support/until.ts';
import type { TestServer } from '../support/server.ts';

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
