import type { App, Viewer } from '../../../app.ts';
import { parseCountLimit, toCount, type Count } from '../../../kernel/count.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { refuseText } from '../../../platform/text.ts';
import type { Buyer } from '../model/buyer.ts';
import { countBuyerRows, listBuyerRows, type BuyerConditions } from '../store/buyers.ts';
import { wordsOf, WORDS_MAX } from '../model/search-terms.ts';

/** A filter of buyers. Null matches every value. */
export type BuyerFilter = { readonly search: string | null; readonly externalIdentifier: string | null };

/**
 * Lists the merchant account's buyers, newest first.
 *
 * A search finds buyers for which every given word begins a word of a name or an identifier. Case does not
 * matter.
 */
export async function listBuyers(
  app: App,
  viewer: Viewer,
  page: PageRequest,
  filter: BuyerFilter,
): Promise<Result<Page<Buyer>, InvalidInput>> {
  const wrongCursor = page.cursor === null || isUuid(page.cursor) ? [] : [notACursor(page)];
  const conditions = conditionsOf(filter, wrongCursor);
  if (!conditions.ok) return conditions;
  return ok(toPage(page, await listBuyerRows(app.db, viewer.merchantAccountId, page, conditions.value)));
}

/**
 * Counts the merchant account's buyers, up to `limit`. Refuses a filter as `listBuyers` does, and a limit beyond 1 to
 * 10 000.
 */
export async function countBuyers(
  app: App,
  viewer: Viewer,
  filter: BuyerFilter,
  limit: number,
): Promise<Result<Count, InvalidInput>> {
  const parsed = parseCountLimit(limit);
  const conditions = conditionsOf(filter, parsed.ok ? [] : parsed.refusals);
  if (!conditions.ok) return conditions;
  return ok(toCount(await countBuyerRows(app.db, viewer.merchantAccountId, conditions.value, limit), limit));
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
