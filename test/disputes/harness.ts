import { randomUUID } from 'node:crypto';
import { startTakeBacks, type TakeBacks } from '../transactions/take-backs.ts';
import type { Reported } from '../transactions/inbox.ts';

/** A dispute as the API shows it. */
export type Shown = {
  readonly id: string;
  readonly stage: string;
  readonly status: string;
  readonly lostAmount: number;
  readonly [field: string]: unknown;
};

/** Payments of 1000 in euros, and the reports of their disputes. */
export type Disputes = {
  readonly play: TakeBacks;
  /** Creates a captured payment. Returns its id, and the provider's id. */
  sale(amount?: number): Promise<Sale>;
  /** Posts a signed report and waits for its end. Returns the end state. */
  report(sale: Sale, reported?: Reported): Promise<string>;
  /** Reads the disputes of a payment through the API, newest first. */
  of(sale: Sale): Promise<readonly Shown[]>;
  /** Lists the ids of the payments with or without disputes, newest first. */
  found(disputed: boolean): Promise<readonly string[]>;
  /** Reads the payment's money, and its word about disputes. */
  payment(sale: Sale): Promise<unknown>;
};

export type Sale = { readonly id: string; readonly payment: string; readonly dispute: string };

const FIELDS = `id type stage status reason reasonCode amount currency lostAmount respondBy reportedAt
  paymentServiceDisputeId transaction { id } paymentService { id }`;

/** A moment of the provider's clock: this many seconds after a fixed start. */
export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 10, 1) + seconds * 1_000).toISOString();

export async function startDisputes(): Promise<Disputes> {
  const play = await startTakeBacks();
  return {
    play,
    sale: async (amount = 1000) => {
      const id = await play.pay({ amount, intent: 'CAPTURE' });
      const { providerReference } = await play.operation(id, 'authorize');
      return { id, payment: providerReference ?? '', dispute: `dp_${randomUUID()}` };
    },
    report: ({ payment, dispute }, reported = {}) =>
      play.tell({
        ...{ event: 'dispute.updated', payment_service_transaction_id: payment, dispute_reference: dispute },
        ...{ stage: 'chargeback', status: 'needs_response', reason: 'fraudulent', reason_code: '10.4' },
        ...{ amount: 1000, currency: 'EUR', occurred_at: at(0), respond_by: at(86_400) },
        ...reported,
      }),
    of: async ({ id }) =>
      (
        await play.harness.ask<{ transaction: { disputes: readonly Shown[] } }>(
          `query ($id: ID!) { transaction(id: $id) { disputes { ${FIELDS} } } }`,
          { id },
        )
      ).transaction.disputes,
    found: async (disputed) =>
      (
        await play.harness.ask<{ transactions: { nodes: readonly { id: string }[] } }>(
          'query ($disputed: Boolean) { transactions(filter: { disputed: $disputed }) { nodes { id } } }',
          { disputed },
        )
      ).transactions.nodes.map(({ id }) => id),
    payment: async ({ id }) =>
      (
        await play.harness.ask<{ transaction: unknown }>(
          `query ($id: ID!) { transaction(id: $id) {
            status capturedAmount refundedAmount disputeLostAmount disputed refundable { amount } } }`,
          { id },
        )
      ).transaction,
  };
}
