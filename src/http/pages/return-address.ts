import type { Transaction } from '../../modules/transactions/index.ts';

/** Returns the buyer's return address after a payment, or null when the payment has none. */
export const returnAddress = (transaction: Transaction): string | null =>
  transaction.redirectUrl === null ? null : withOutcome(transaction.redirectUrl, transaction);

/** Adds the payment's id and status to a return address, and nothing else about the payment. */
export function withOutcome(address: string, { id, status }: Pick<Transaction, 'id' | 'status'>): string {
  const url = new URL(address);
  url.searchParams.set('transaction_id', id);
  url.searchParams.set('transaction_status', status);
  return url.href;
}
