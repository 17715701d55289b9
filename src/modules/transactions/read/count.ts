import type { App, Viewer } from '../../../app.ts';
import { parseCountLimit, toCount, type Count } from '../../../kernel/count.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { parseInput } from '../../../platform/validate.ts';
import { transactionFilter } from '../model/filter.ts';
import { countTransactionRows, countTransactionRowsOf, type Counted } from './count.sql.ts';
import type { OwnerColumn } from './list.sql.ts';

/**
 * Counts the merchant account's transactions that meet every given filter, up to `limit`. Refuses a filter as
 * `listTransactions` does, and a limit beyond 1 to 10 000.
 */
export async function countTransactions(
  app: App,
  { merchantAccountId }: Viewer,
  filter: unknown,
  limit: number,
): Promise<Result<Count, InvalidInput>> {
  const counted = toCounted(filter, limit);
  if (!counted.ok) return counted;
  return ok(toCount(await countTransactionRows(app.db, merchantAccountId, counted.value), limit));
}

/** The count of one record's transactions. `key` is the same for equal counts of equal records. */
export type TransactionCountOf = {
  readonly column: OwnerColumn;
  readonly id: string;
  readonly counted: Counted;
  readonly key: string;
};

/** Checks the count of the transactions of a buyer, a payment method or a payment service. Refuses as `countTransactions` does. */
export function transactionCountOf(
  column: OwnerColumn,
  id: string,
  filter: unknown,
  limit: number,
): Result<TransactionCountOf, InvalidInput> {
  const counted = toCounted(filter, limit);
  if (!counted.ok) return counted;
  return ok({ column, id, counted: counted.value, key: JSON.stringify([column, filter ?? null, limit]) });
}

/** Counts for each record, in the order of the requests. Equal counts of many records are made by one statement. */
export async function findTransactionCountsOf(
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly TransactionCountOf[],
): Promise<readonly Count[]> {
  const found = new Map<TransactionCountOf, Count>();
  const count = async (alike: readonly TransactionCountOf[]): Promise<void> => {
    const [first] = alike;
    if (!first) return;
    const { column, counted } = first;
    const owners = { column, ids: alike.map(({ id }) => id) };
    const counts = await countTransactionRowsOf(app.db, merchantAccountId, counted, owners);
    for (const [index, one] of alike.entries()) found.set(one, toCount(counts[index] ?? 0, counted.limit));
  };
  // A reference of a router may hold any text.
  const known = requests.filter(({ id }) => isUuid(id));
  await Promise.all([...Map.groupBy(known, ({ key }) => key).values()].map(count));
  return requests.map((request) => found.get(request) ?? toCount(0, request.counted.limit));
}

/** Checks the filter and the limit of a count. */
function toCounted(given: unknown, limit: number): Result<Counted, InvalidInput> {
  const filter = parseInput(transactionFilter, given ?? {}, 'filter');
  if (!filter.ok) return filter;
  const parsed = parseCountLimit(limit);
  return parsed.ok ? ok({ filter: filter.value, limit: parsed.value }) : parsed;
}
