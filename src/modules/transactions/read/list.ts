import type { App, Viewer } from '../../../app.ts';
import { toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import { transactionFilter } from '../model/filter.ts';
import { transactionPosition, type TransactionSort } from '../model/sort.ts';
import type { TransactionColumns } from '../model/columns.sql.ts';
import { readTransactionPage } from './list.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/**
 * Lists a page of the merchant account's transactions that meet every given filter, in the order of `sort`. Refuses a filter
 * beyond a limit, an empty list, and a cursor of another sort. A transaction is listed from its first commit on. A row has
 * the fields of `columns` alone. Another field of it throws.
 */
export async function listTransactions(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  given: {
    readonly filter: unknown;
    readonly sort: TransactionSort;
    readonly columns: TransactionColumns;
  },
): Promise<Result<Page<Transaction>, InvalidInput>> {
  const filter = given.filter == null ? NO_FILTER : parseInput(transactionFilter, given.filter, 'filter');
  if (!filter.ok) return filter;
  const position = transactionPosition(page, given.sort);
  if (!position.ok) return position;
  const { direction, limit } = page;
  const rows = await readTransactionPage(app.db, merchantAccountId, {
    sort: given.sort,
    columns: given.columns,
    filter: filter.value,
    direction,
    position: position.value,
    limit,
  });
  return ok(toPage(page, rows));
}

/** The filter of every list without one, checked once. */
const NO_FILTER = parseInput(transactionFilter, {}, 'filter');
