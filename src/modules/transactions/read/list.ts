import type { App, Viewer } from '../../../app.ts';
import { toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { unlessAnyBroad, unlessBroad, type Broad } from '../../../platform/lists/too-broad.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { transactionFilter } from './filter.ts';
import { readSort, transactionPosition, type TransactionSort } from './sort.ts';
import type { TransactionColumns } from '../rows/columns.sql.ts';
import type { OwnerColumn, Owners } from './filters.sql.ts';
import { boundedList, readTransactionPage, readTransactionPages, type TransactionPage } from './list.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/**
 * Lists a page of the merchant account's transactions that meet every given filter, in the order of `sort`. Refuses a filter
 * beyond a limit, an empty list, and a cursor of another sort. Refuses a filter that would scan too many rows. A transaction is
 * listed from its first commit on. A row has the fields of `columns` alone. Another field of it throws.
 */
export async function listTransactions(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  page: PageRequest,
  given: ListArguments,
): Promise<Result<Page<Transaction>, InvalidInput>> {
  const read = pageToRead(page, given);
  if (!read.ok) return read;
  const scanLimit = given.readsAll ? null : app.config.PAYGRAPH_LIST_SCAN_LIMIT;
  const found = await readTransactionPage(app.db, merchantAccountId, read.value, scanLimit);
  return unlessBroad(app.db, broad(app, merchantAccountId, read.value), found, (rows) => toPage(page, rows));
}

/** Describes a list of transactions to `unlessBroad`. */
export const broad = (
  app: App,
  merchantAccountId: string,
  { filter, sort }: Pick<TransactionPage, 'filter' | 'sort'>,
): Broad => ({
  scanLimit: app.config.PAYGRAPH_LIST_SCAN_LIMIT,
  records: 'transactions',
  path: ['filter'],
  newest: readSort(sort).key === 'created_at' ? null : boundedList(merchantAccountId, { ...NEWEST, filter }),
});

/** Describes the transactions of some records to `unlessAnyBroad`. */
export const broadOf = (
  app: App,
  merchantAccountId: string,
  page: Pick<TransactionPage, 'filter' | 'sort'>,
  { column }: Owners,
): Broad => ({ ...broad(app, merchantAccountId, page), owners: OWNERS[column] });

const OWNERS = {
  buyer_id: 'buyers',
  payment_method_id: 'payment methods',
  payment_service_id: 'payment services',
} as const satisfies Record<OwnerColumn, string>;

const NEWEST = { sort: 'created_at_desc', direction: 'forward', columns: 'brief', position: null } as const;

/** The page of one record's transactions. `key` is the same for equal pages of equal records. */
export type TransactionsOf = {
  readonly column: OwnerColumn;
  readonly id: string;
  readonly request: PageRequest;
  readonly page: TransactionPage;
  readonly key: string;
};

/** Checks the page of the transactions of a buyer, a payment method or a payment service. Refuses as `listTransactions` does. */
export function transactionsOf(
  column: OwnerColumn,
  id: string,
  request: PageRequest,
  given: ListArguments,
): Result<TransactionsOf, InvalidInput> {
  const page = pageToRead(request, given);
  if (!page.ok) return page;
  const key = JSON.stringify([column, given.sort, given.columns, request, given.filter ?? null]);
  return ok({ column, id, request, page: page.value, key });
}

/** Finds a page for each record, in the order of the requests. Refuses as `listTransactions` does. */
export const findTransactionsOf = (
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly TransactionsOf[],
): Promise<readonly Result<Page<Transaction>, InvalidInput>[]> =>
  answerByRecord(requests, ok(NO_PAGE), async ({ request, page }, owners) => {
    const scanLimit = app.config.PAYGRAPH_LIST_SCAN_LIMIT;
    const pages = await readTransactionPages(app.db, merchantAccountId, page, owners, scanLimit);
    const refusal = broadOf(app, merchantAccountId, page, owners);
    return await unlessAnyBroad(app.db, refusal, pages, (rows) => toPage(request, rows));
  });

/**
 * Answers requests about records, in their order. One call of `read` answers the requests with the same key, in the order of
 * the owners. A record without an answer gets `none`.
 */
export async function answerByRecord<Request extends TransactionsOf, Answer>(
  requests: readonly Request[],
  none: Answer,
  read: (alike: Request, owners: Owners) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const found = new Map<Request, Answer>();
  const readAlike = async (alike: readonly Request[]): Promise<void> => {
    const [first] = alike;
    if (!first) return;
    const answers = await read(first, { column: first.column, ids: alike.map(({ id }) => id) });
    for (const [index, one] of alike.entries()) found.set(one, answers[index] ?? none);
  };
  // A reference of a router may hold any text.
  const known = requests.filter(({ id }) => isUuid(id));
  await Promise.all([...Map.groupBy(known, ({ key }) => key).values()].map(readAlike));
  return requests.map((request) => found.get(request) ?? none);
}

const NO_PAGE: Page<Transaction> = { items: [], hasNextPage: false, hasPreviousPage: false };

type ListArguments = {
  readonly filter: unknown;
  readonly sort: TransactionSort;
  readonly columns: TransactionColumns;
  /** True for background work, which reads everything that a filter needs. */
  readonly readsAll?: true;
};

/** Checks the filter and the cursor of a list. */
function pageToRead(page: PageRequest, given: ListArguments): Result<TransactionPage, InvalidInput> {
  const filter = given.filter == null ? NO_FILTER : parseInput(transactionFilter, given.filter, 'filter');
  if (!filter.ok) return filter;
  const position = transactionPosition(page, given.sort);
  if (!position.ok) return position;
  const { direction, limit } = page;
  const { sort } = given;
  const columns = withKey(given.columns, sort);
  return ok({ sort, columns, filter: filter.value, direction, position: position.value, limit });
}

/** Returns a column set with the column of the sort. Every set has the amount and the time of creation. */
const withKey = (columns: TransactionColumns, sort: TransactionSort): TransactionColumns =>
  columns === 'whole' || readSort(sort).key !== 'updated_at' ? columns : 'line';

/** The filter of every list without one, checked once. */
const NO_FILTER = parseInput(transactionFilter, {}, 'filter');
