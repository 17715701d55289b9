import { api } from '../../app/api.ts';
import { readRows } from '../home/query.ts';
import { readClock } from '../home/zone.ts';
import { spansOf } from '../home/span.ts';

const PAYMENT = {
  ...{
    id: true,
    status: true,
    amount: true,
    currency: true,
    capturedAmount: true,
    pendingReview: true,
    refundedAmount: true,
  },
  ...{ createdAt: true },
} as const;

/** Reads the latest payments of a service, and its sums of seven days by currency. */
export async function readUse(id: string, signal: AbortSignal) {
  const clock = readClock(null);
  const { span } = spansOf('7d', new Date(), clock);
  const [{ transactions }, rows] = await Promise.all([
    api.query(
      { transactions: [{ first: 10, filter: { paymentServiceId: [id] } }, { nodes: PAYMENT }] },
      { signal },
    ),
    readRows(span, { timeZone: clock.zone, groupBy: 'PAYMENT_SERVICE' }, signal),
  ]);
  return { payments: transactions.nodes, sums: rows.filter(({ value }) => value === id) };
}

/** The latest payments of a service, and its sums. */
export type Use = Awaited<ReturnType<typeof readUse>>;

/** Asks the provider again about the stored credentials. */
export async function verifyService(id: string) {
  const { verifyPaymentService } = await api.mutate({
    verifyPaymentService: [{ id }, { paymentService: { status: true, statusReason: true } }],
  });
  return verifyPaymentService.paymentService;
}

/** Deletes a service for new payments. */
export async function deleteService(id: string): Promise<void> {
  await api.mutate({ deletePaymentService: [{ id }, { paymentService: { id: true } }] });
}
