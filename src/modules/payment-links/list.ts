import type { App, Viewer } from '../../app.ts';
import { toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { LineOrWhole } from '../../platform/column-set.ts';
import { sortedPosition, type Sort } from '../../platform/sort.ts';
import { parseInput } from '../../platform/validate.ts';
import { paymentLinkFilter } from './filter.ts';
import type { PaymentLink } from './payment-link.ts';
import { countLinks, readLinkPage } from './store/list.ts';

export { sortedKey as paymentLinkKey } from '../../platform/sort.ts';

/** The sort of a list of payment links. */
export type PaymentLinkSort = Sort;

/**
 * Returns a page of the merchant account's payment links that meet every given filter, in the order of `sort`. Refuses
 * a filter that breaks a limit, an empty list, and a cursor of another sort. The links have the fields of `columns`.
 */
export async function listPaymentLinks(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  given: {
    readonly filter: unknown;
    readonly sort: PaymentLinkSort;
    readonly columns: LineOrWhole;
  },
): Promise<Result<Page<PaymentLink>, InvalidInput>> {
  const filter = parseInput(paymentLinkFilter, given.filter ?? {}, 'filter');
  if (!filter.ok) return filter;
  const position = sortedPosition(page, given.sort);
  if (!position.ok) return position;
  const { direction, limit } = page;
  const rows = await readLinkPage(app.db, merchantAccountId, {
    ...{ sort: given.sort, columns: given.columns, filter: filter.value },
    ...{ direction, position: position.value, limit },
  });
  return ok(toPage(page, rows));
}

/**
 * Counts the merchant account's payment links that meet every given filter. The count ends at `atMost`. Refuses a filter as
 * `listPaymentLinks` does.
 */
export async function countPaymentLinks(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
  atMost: number,
): Promise<Result<number, InvalidInput>> {
  const filter = parseInput(paymentLinkFilter, given ?? {}, 'filter');
  return filter.ok ? ok(await countLinks(app.db, merchantAccountId, filter.value, atMost)) : filter;
}
