import { reconciliationIdOf } from '../../../kernel/reconciliation-id.ts';
import {
  countBuyers,
  createBuyer,
  createShippingDetails,
  deleteBuyer,
  deleteShippingDetails,
  listBuyers,
  newestKey,
  updateBuyer,
  updateShippingDetails,
} from '../../../modules/payment-methods/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/payment-methods.ts';
import { buyerColumns, buyersFor, paymentMethodColumns } from '../columns.ts';
import { giftCardFields, giftCardMutations, giftCardQueries, giftCardsOfBuyer } from './gift-cards.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { countable, parsePageOrThrow, toConnection, totalCount } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';
import {
  paymentMethodMutations,
  paymentMethodQueries,
  paymentMethodResolvers,
} from './stored-payment-methods.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    ...paymentMethodQueries,
    ...giftCardQueries,
    buyer: (_, { id }, { loaders }, info) => buyersFor(info, loaders).load(id),
    buyers: async (_, { first, after, last, before, ...filter }, { app, viewer }, info) => {
      const page = parsePageOrThrow({ first, after, last, before });
      const found = await listBuyers(app, viewer, page, { filter, columns: buyerColumns.ofList(info) });
      if (!found.ok) throw invalidArguments(found.refusals);
      return countable(toConnection(found.value, newestKey), (atMost) =>
        countBuyers(app, viewer, filter, atMost),
      );
    },
  },
  Mutation: {
    ...paymentMethodMutations,
    ...giftCardMutations,
    createBuyer: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createBuyer(app, viewer, input, idempotencyKey);
      if (!created.ok) return { buyer: null, userErrors: toUserErrors(created.refusals), replayed: false };
      return { ...created.value, userErrors: [] };
    },
    updateBuyer: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateBuyer(app, viewer, id, input);
      if (!updated.ok) return { buyer: null, userErrors: toUserErrors(updated.refusals) };
      return { buyer: updated.value, userErrors: [] };
    },
    deleteBuyer: async (_, { id }, { app, viewer }) => {
      const deleted = await deleteBuyer(app, viewer, id);
      if (!deleted.ok) return { deletedId: null, userErrors: toUserErrors(deleted.refusals) };
      return { deletedId: deleted.value, userErrors: [] };
    },
    createShippingDetails: async (_, { buyerId, input, idempotencyKey }, { app, viewer }) => {
      const created = await createShippingDetails(app, viewer, buyerId, input, idempotencyKey);
      if (!created.ok)
        return { shippingDetails: null, userErrors: toUserErrors(created.refusals), replayed: false };
      return { ...created.value, userErrors: [] };
    },
    updateShippingDetails: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateShippingDetails(app, viewer, id, input);
      if (!updated.ok) return { shippingDetails: null, userErrors: toUserErrors(updated.refusals) };
      return { shippingDetails: updated.value, userErrors: [] };
    },
    deleteShippingDetails: async (_, { id }, { app, viewer }) => {
      const deleted = await deleteShippingDetails(app, viewer, id);
      if (!deleted.ok) return { deletedId: null, userErrors: toUserErrors(deleted.refusals) };
      return { deletedId: deleted.value, userErrors: [] };
    },
  },
  BuyerConnection: { totalCount },
  PaymentMethodConnection: { totalCount },
  CreateBuyerPayload: { buyerId: ({ buyer }) => buyer?.id ?? null },
  CreateShippingDetailsPayload: { shippingDetailsId: ({ shippingDetails }) => shippingDetails?.id ?? null },
  StoreGiftCardPayload: { giftCardId: ({ giftCard }) => giftCard?.id ?? null },
  StorePaymentMethodPayload: {
    paymentMethodId: ({ paymentMethod }) => paymentMethod?.id ?? null,
    paymentMethodStatus: ({ paymentMethod }) => paymentMethod?.status ?? null,
  },
  Buyer: {
    __resolveReference: (key, { loaders }, info) =>
      'id' in key
        ? buyersFor(info, loaders).load(key.id)
        : loaders.buyerByExternalIdentifier.load(String(key.externalIdentifier)),
    ...merchantAccountOf,
    type: () => 'buyer',
    reconciliationId: ({ id }) => reconciliationIdOf(id),
    shippingDetails: ({ id }, _, { loaders }) => loaders.shippingDetails.load(id),
    paymentMethods: ({ id: buyerId }, { sort }, { loaders }, info) =>
      loaders.paymentMethodsOfBuyer.load({ buyerId, sort, columns: paymentMethodColumns.ofField(info) }),
    giftCards: giftCardsOfBuyer,
  },
  ShippingDetails: {
    type: () => 'shipping-details',
    buyer: ({ buyerId }, _, { loaders }, info) => buyersFor(info, loaders).load(buyerId),
  },
  GiftCard: giftCardFields,
  PaymentMethod: paymentMethodResolvers,
};

/** Buyers, stored payment methods and gift cards. */
export const paymentMethodsSubgraph: Subgraph = { name: 'payment-methods', resolvers };
