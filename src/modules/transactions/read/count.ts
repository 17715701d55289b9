import type { App, Viewer } from '../../../app.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { transactionFilter } from './filter.ts';
import { countTransactionRows, countTransactionRowsOf } from './count.sql.ts';
import { unlessAnyBroad, unlessBroad } from '../../../platform/lists/too-broad.ts';
import { answerByRecord, broad, broadOf, type TransactionsOf } from './list.ts';

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
  const counted = { filter: filter.value, atMost, scanLimit: app.config.PAYGRAPH_LIST_SCAN_LIMIT };
  const found = await countTransactionRows(app.db, merchantAccountId, counted);
  return unlessBroad(
    app.db,
    broad(app, merchantAccountId, { ...COUNTED, filter: filter.value }),
    found,
    (count) => count,
  );
}

/** The count of one record's transactions. It ends at `atMost`. */
export type TransactionCountOf = TransactionsOf & { readonly atMost: number };

/** Asks how many transactions are on all pages of a record. */
export const transactionCountOf = (page: TransactionsOf, atMost: number): TransactionCountOf => ({
  ...page,
  ...{ atMost, key: `${page.key} ${atMost}` },
});

/** Counts for each record, in the order of the requests. Refuses as `listTransactions` does. */
export const findTransactionCountsOf = (
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly TransactionCountOf[],
): Promise<readonly Result<number, InvalidInput>[]> =>
  answerByRecord(requests, ok(0), async ({ page: { filter }, atMost }, owners) => {
    const counted = { filter, atMost, scanLimit: app.config.PAYGRAPH_LIST_SCAN_LIMIT };
    const counts = await countTransactionRowsOf(app.db, merchantAccountId, counted, owners);
    const refusal = broadOf(app, merchantAccountId, { ...COUNTED, filter }, owners);
    return await unlessAnyBroad(app.db, refusal, counts, (count) => count);
  });

/** The order in which a count scans transactions. */
const COUNTED = { sort: 'created_at_desc' } as const;
