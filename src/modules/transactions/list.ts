import type { App, Viewer } from '../../app.ts';
import { toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import { readTransactionPage, type TransactionFilter } from './store/read.ts';
import type { Transaction } from './transaction.ts';

/** A page of the merchant account's transactions, newest first. */
export async function listTransactions(
  app: App,
  viewer: Viewer,
  page: PageRequest,
  filter: TransactionFilter,
): Promise<Result<Page<Transaction>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) {
    return refuse(
      invalidInput([page.direction === 'forward' ? 'after' : 'before'], 'Not a cursor of this list.'),
    );
  }
  const rows = await readTransactionPage(app.db, viewer.merchantAccountId, page, filter);
  return ok(toPage(page, rows));
}
