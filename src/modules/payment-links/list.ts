import type { App, Viewer } from '../../app.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import type { Result } from '../../kernel/result.ts';
import type { LineOrWhole } from '../../platform/database/column-set.ts';
import { sortedPosition, type Sort } from '../../platform/lists/sort.ts';
import { countAll, listSorted, type ListNames } from '../../platform/lists/sorted-page.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { paymentLinkFilter } from './filter.ts';
import type { PaymentLink } from './payment-link.ts';
import { linkList } from './store/list.ts';

export { sortedKey as paymentLinkKey } from '../../platform/lists/sort.ts';

/** The sort of a list of payment links. */
export type PaymentLinkSort = Sort;

/**
 * Returns a page of the merchant account's payment links that meet every given filter, in the order of `sort`. Refuses
 * a filter that breaks a limit, an empty list, and a cursor of another sort. Refuses a filter that would scan too many rows. The
 * links have the fields of `columns`.
 */
export async function listPaymentLinks(
  app: App,
  { merchantAccountId }: Viewer,
  request: PageRequest,
  given: {
    readonly filter: unknown;
    readonly sort: PaymentLinkSort;
    readonly columns: LineOrWhole;
  },
): Promise<Result<Page<PaymentLink>, InvalidInput>> {
  const filter = parseInput(paymentLinkFilter, given.filter ?? {}, 'filter');
  if (!filter.ok) return filter;
  const position = sortedPosition(request, given.sort);
  if (!position.ok) return position;
  const { direction } = request;
  const page = { sort: given.sort, filter: filter.value, direction, position: position.value };
  return await listSorted(app, NAMES, request, linkList(merchantAccountId, page, given.columns));
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
  if (!filter.ok) return filter;
  const page = { ...FROM_NEWEST, filter: filter.value };
  return await countAll(app, NAMES, linkList(merchantAccountId, page, 'line'), atMost);
}

const NAMES: ListNames = { records: 'payment links', path: ['filter'] };
const FROM_NEWEST = { sort: 'created_at_desc', direction: 'forward', position: null } as const;
