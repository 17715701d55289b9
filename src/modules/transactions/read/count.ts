import type { App, Viewer } from '../../../app.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import { transactionFilter } from '../model/filter.ts';
import { countTransactionRows, countTransactionRowsOf } from './count.sql.ts';
import { answerOf, type TransactionsOf } from './list.ts';

/**
 * Counts the merchant account's transactions that meet every given filter. The count ends at `atMost`. Refuses a filter as
 * `listTransactions` does.
 */
export async function countTransactions(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
  atMost: number,
): Promise<Result<number, InvalidInput>> {
  const filter = parseInput(transactionFilter, given ?? {}, 'filter');
  if (!filter.ok) return filter;
  return ok(await countTransactionRows(app.db, merchantAccountId, { filter: filter.value, atMost }));
}

/** The count of one record's transactions. It ends at `atMost`. */
export type TransactionCountOf = TransactionsOf & { readonly atMost: number };

/** Asks how many transactions are on all pages of a record. */
export const transactionCountOf = (page: TransactionsOf, atMost: number): TransactionCountOf => ({
  ...page,
  ...{ atMost, key: `${page.key} ${atMost}` },
});

/** Counts for each record, in the order of the requests. Equal counts of many records are made by one statement. */
export const findTransactionCountsOf = (
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly TransactionCountOf[],
): Promise<readonly number[]> =>
  answerOf(requests, 0, ({ page: { filter }, atMost }, owners) =>
    countTransactionRowsOf(app.db, merchantAccountId, { filter, atMost }, owners),
  );
