import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import { refuseText } from '../../../platform/input/text.ts';
import { isSpent, sortByUsage, type GiftCard, type UsageField } from '../model/gift-card.ts';
import { findBuyerIdBy } from '../store/buyers/buyers.ts';
import {
  findShownByIds,
  listGiftCardRows,
  listGiftCardsOfBuyers,
  type GiftCardConditions,
} from '../store/gift-cards.ts';

/** Returns gift cards in the order of the ids. Unknown and deleted cards are null. */
export async function findGiftCards(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (GiftCard | null)[]> {
  return inOrderOf(ids, await findShownByIds(app.db, merchantAccountId, ids));
}

/** The buyer of the gift cards, by id or by external identifier. Null matches every buyer. */
export type GiftCardFilter = GiftCardConditions;

/** Lists the merchant account's gift cards, newest first. Expired and empty cards are included. */
export async function listGiftCards(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  filter: GiftCardFilter,
): Promise<Result<Page<GiftCard>, InvalidInput>> {
  const [first, ...rest] = [
    ...(page.cursor === null || isUuid(page.cursor) ? [] : [notACursor(page)]),
    ...filterFailures(filter, ['filter']),
  ];
  if (first) return refuse(first, ...rest);
  if (filter.buyerId !== null && !isUuid(filter.buyerId)) return ok(toPage(page, []));
  return ok(toPage(page, await listGiftCardRows(app.db, merchantAccountId, page, filter)));
}

/**
 * Lists the gift cards with which a buyer can pay, by last use or by number of uses. Expired and empty cards
 * are left out. An unknown buyer has none.
 */
export async function listBuyerGiftCards(
  app: App,
  viewer: Viewer,
  buyer: GiftCardFilter,
  sortBy: UsageField | null,
): Promise<Result<readonly GiftCard[], InvalidInput>> {
  const { buyerId, buyerExternalIdentifier } = buyer;
  const [first, ...rest] = filterFailures(buyer, []);
  if (first) return refuse(first, ...rest);
  if (buyerId === null && buyerExternalIdentifier === null)
    return refuse(invalidInput(['buyerId'], 'Give buyerId or buyerExternalIdentifier.'));
  const id =
    buyerExternalIdentifier === null
      ? buyerId
      : await findBuyerIdBy(app.db, viewer.merchantAccountId, buyerExternalIdentifier);
  const [cards = []] = await findGiftCardsOfBuyers(app, viewer, id === null ? [] : [id]);
  return ok(sortByUsage(cards, sortBy));
}

/**
 * Returns the gift cards with which several buyers can pay, in the order of the ids. The cards of one buyer are
 * not sorted.
 */
export async function findGiftCardsOfBuyers(
  app: App,
  { merchantAccountId }: Viewer,
  buyerIds: readonly string[],
): Promise<readonly (readonly GiftCard[])[]> {
  const found = await listGiftCardsOfBuyers(app.db, merchantAccountId, buyerIds);
  const now = app.clock.now();
  const usable = found.filter((card) => !isSpent(card, now));
  const byBuyer = Map.groupBy(usable, ({ buyerId }) => buyerId);
  return buyerIds.map((id) => byBuyer.get(id.toLowerCase()) ?? []);
}

function filterFailures(
  { buyerId, buyerExternalIdentifier }: GiftCardFilter,
  path: readonly string[],
): InvalidInput[] {
  if (buyerExternalIdentifier === null) return [];
  const at = [...path, 'buyerExternalIdentifier'];
  if (buyerId !== null) return [invalidInput(at, 'Give buyerId or buyerExternalIdentifier, not both.')];
  const unfit = refuseText(buyerExternalIdentifier, 1, 200);
  return unfit ? [invalidInput(at, unfit)] : [];
}
