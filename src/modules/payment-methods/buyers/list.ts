import type { App, Viewer } from '../../../app.ts';
import type { Page, PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { refuse, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { NEWEST_FIRST, sortedPosition } from '../../../platform/lists/sort.ts';
import { countAll, listSorted, type ListNames } from '../../../platform/lists/sorted-page.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { Buyer } from '../model/buyer.ts';
import { buyerFilter } from '../model/filter.ts';
import { buyerList } from '../store/buyers/buyer-list.ts';

/**
 * Lists the merchant account's buyers that match every given argument, newest first. They have the fields of `columns`.
 *
 * - Finds buyers for which every word of the search begins a word of a name or an identifier. Case does not matter.
 * - Refuses an argument that breaks a limit, and a cursor of another list.
 * - Refuses arguments that would scan too many rows.
 */
export async function listBuyers(
  app: App,
  { merchantAccountId }: Viewer,
  request: PageRequest,
  { filter: given, columns }: { readonly filter: unknown; readonly columns: LineOrWhole },
): Promise<Result<Page<Buyer>, InvalidInput>> {
  const filter = parseInput(buyerFilter, given, null);
  const position = sortedPosition(request, NEWEST_FIRST);
  if (!filter.ok || !position.ok) {
    const [first, ...rest] = [position, filter].flatMap((each) => (each.ok ? [] : each.refusals));
    if (first) return refuse(first, ...rest);
    throw new Error('A refusal without a reason');
  }
  const { direction } = request;
  const page = { sort: NEWEST_FIRST, filter: filter.value, direction, position: position.value };
  return await listSorted(app, NAMES, request, buyerList(merchantAccountId, page, columns));
}

/** Counts the merchant account's buyers. The count ends at `atMost`. Refuses arguments as `listBuyers` does. */
export async function countBuyers(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
  atMost: number,
): Promise<Result<number, InvalidInput>> {
  const filter = parseInput(buyerFilter, given, null);
  if (!filter.ok) return filter;
  const page = { sort: NEWEST_FIRST, direction: 'forward', position: null, filter: filter.value } as const;
  return await countAll(app, NAMES, buyerList(merchantAccountId, page, 'line'), atMost);
}

const NAMES: ListNames = { records: 'buyers', path: [] };
