import type { Transaction } from '../../modules/transactions/index.ts';

/** Where the buyer of a payment goes back to; null when it names no place. */
export const returnAddress = (transaction: Transaction): string | null =>
  transaction.redirectUrl === null ? null : withOutcome(transaction.redirectUrl, transaction);

/** Where a buyer goes back to, with the payment's id and status and nothing else about it. */
export function withOutcome(address: string, { id, status }: Pick<Transaction, 'id' | 'status'>): string {
  const url = new URL(address);
  url.searchParams.set('transaction_id', id);
  url.searchParams.set('transaction_status', status);
  return url.href;
}
