import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { refuseText } from '../../../platform/text.ts';
import { isSpent, sortByUsage, type GiftCard, type UsageField } from '../gift-card.ts';
import { findBuyerIdBy } from '../store/buyers.ts';
import {
  findGiftCardsByIds,
  listGiftCardRows,
  listGiftCardsOfBuyers,
  withoutSealed,
  type GiftCardConditions,
} from '../store/gift-cards.ts';

/** Gift cards in the order of the ids; null where the merchant account has none of the id, or no more. */
export async function findGiftCards(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (GiftCard | null)[]> {
  const found = await findGiftCardsByIds(app.db, merchantAccountId, ids);
  const byId = new Map(found.map((card) => [card.id, withoutSealed(card)]));
  // The database takes a UUID in either case and answers in lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

/** Whose gift cards; null: whosever they are. Not both of them. */
export type GiftCardFilter = GiftCardConditions;

/** The merchant account's gift cards, newest first, also those that can pay for nothing any more. */
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
 * The gift cards that a buyer can pay with, most recently or most often used first. Expired and empty ones are left out. A
 * buyer that is not there has none.
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

/** The gift cards that several buyers can pay with, in the order of the ids; those of one buyer in no order. */
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
