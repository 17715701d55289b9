import {
  checkGiftCardBalances,
  deleteGiftCard,
  listBuyerGiftCards,
  listGiftCards,
  sortByUsage,
  storeGiftCard,
} from '../../../modules/payment-methods/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { BuyerResolvers, GiftCardResolvers, Resolvers } from '../../generated/payment-methods.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { toUserErrors } from '../refusals.ts';

/** The gift cards in the payment-methods subgraph. */
export const giftCardQueries = {
  giftCard: (_, { id }, { loaders }) => loaders.giftCard.load(id),
  giftCards: async (_, { filter, ...page }, { app, viewer }) => {
    const whose = {
      buyerId: filter?.buyerId ?? null,
      buyerExternalIdentifier: filter?.buyerExternalIdentifier ?? null,
    };
    const found = await listGiftCards(app, viewer, parsePageOrThrow(page), whose);
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
  buyerGiftCards: async (_, { buyerId, buyerExternalIdentifier, sortBy, orderBy }, { app, viewer }) => {
    const whose = { buyerId: buyerId ?? null, buyerExternalIdentifier: buyerExternalIdentifier ?? null };
    const found = await listBuyerGiftCards(app, viewer, whose, sortBy ?? null);
    if (!found.ok) throw invalidArguments(found.refusals);
    return orderBy === 'asc' ? found.value.toReversed() : found.value;
  },
} satisfies Resolvers['Query'];

export const giftCardMutations = {
  storeGiftCard: async (_, { input, idempotencyKey }, { app, viewer }) => {
    const stored = await storeGiftCard(app, viewer, input, idempotencyKey);
    if (!stored.ok) return { giftCard: null, userErrors: toUserErrors(stored.refusals), replayed: false };
    return { ...stored.value, userErrors: [] };
  },
  deleteGiftCard: async (_, { id }, { app, viewer }) => {
    const deleted = await deleteGiftCard(app, viewer, id);
    if (!deleted.ok) return { deletedId: null, userErrors: toUserErrors(deleted.refusals) };
    return { deletedId: deleted.value, userErrors: [] };
  },
  checkGiftCardBalances: async (_, { input }, { app, viewer }) => {
    const checked = await checkGiftCardBalances(app, viewer, input);
    if (!checked.ok) return { balances: [], userErrors: toUserErrors(checked.refusals) };
    return { balances: checked.value, userErrors: [] };
  },
} satisfies Resolvers['Mutation'];

/** Sorts the gift cards of a buyer as the caller asked. */
export const giftCardsOfBuyer: NonNullable<BuyerResolvers['giftCards']> = async (
  { id },
  { sortBy },
  { loaders },
) => sortByUsage(await loaders.giftCardsOfBuyer.load(id), sortBy ?? null);

export const giftCardFields: GiftCardResolvers = {
  __resolveReference: ({ id }, { loaders }) => loaders.giftCard.load(id),
  ...merchantAccountOf,
  paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
  buyer: ({ buyerId }, _, { loaders }) => (buyerId === null ? null : loaders.buyer.load(buyerId)),
};
