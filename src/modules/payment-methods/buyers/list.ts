import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/column-set.ts';
import { isUuid } from '../../../platform/ids.ts';
import { refuseText } from '../../../platform/text.ts';
import type { Buyer } from '../model/buyer.ts';
import { countBuyerRows, listBuyerRows, type BuyerConditions } from '../store/buyers.ts';
import { wordsOf, WORDS_MAX } from '../model/search-terms.ts';

/** A filter of buyers. Null matches every value. */
export type BuyerFilter = { readonly search: string | null; readonly externalIdentifier: string | null };

/**
 * Lists the merchant account's buyers, newest first. They have the fields of `columns`.
 *
 * A search finds buyers for which every given word begins a word of a name or an identifier. Case does not
 * matter.
 */
export async function listBuyers(
  app: App,
  viewer: Viewer,
  page: PageRequest,
  { columns, ...filter }: BuyerFilter & { readonly columns: LineOrWhole },
): Promise<Result<Page<Buyer>, InvalidInput>> {
  const wrongCursor = page.cursor === null || isUuid(page.cursor) ? [] : [notACursor(page)];
  const conditions = conditionsOf(filter, wrongCursor);
  if (!conditions.ok) return conditions;
  const read = { conditions: conditions.value, columns };
  return ok(toPage(page, await listBuyerRows(app.db, viewer.merchantAccountId, page, read)));
}

/** Counts the merchant account's buyers. The count ends at `atMost`. Refuses a filter as `listBuyers` does. */
export async function countBuyers(
  app: App,
  viewer: Viewer,
  filter: BuyerFilter,
  atMost: number,
): Promise<Result<number, InvalidInput>> {
  const conditions = conditionsOf(filter, []);
  if (!conditions.ok) return conditions;
  return ok(await countBuyerRows(app.db, viewer.merchantAccountId, conditions.value, atMost));
}

/** Checks a filter. The refusals of other arguments come first. */
function conditionsOf(
  { search, externalIdentifier }: BuyerFilter,
  others: readonly InvalidInput[],
): Result<BuyerConditions, InvalidInput> {
  const words = wordsOf(search ?? '');
  const [first, ...rest] = [
    ...others,
    ...refuseOptional('search', search),
    ...refuseOptional('externalIdentifier', externalIdentifier),
    ...(words.length > WORDS_MAX ? [invalidInput(['search'], `Give at most ${WORDS_MAX} words.`)] : []),
  ];
  return first ? refuse(first, ...rest) : ok({ externalIdentifier, words });
}

const TEXT_LENGTH_MAX = 320;

function refuseOptional(argument: string, value: string | null): InvalidInput[] {
  const unfit = value === null ? null : refuseText(value, 1, TEXT_LENGTH_MAX);
  return unfit ? [invalidInput([argument], unfit)] : [];
}
