import {
  countPaymentLinks,
  createPaymentLink,
  expirePaymentLink,
  listPaymentLinks,
  paymentLinkKey,
} from '../../../modules/payment-links/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/payment-links.ts';
import type { Loaders } from '../../loaders.ts';
import { refuseBuyerFilters, refuseRoutingVersion } from '../scoped-arguments.ts';
import { linksFor, paymentLinkColumns } from '../columns.ts';
import { cartItemsOf } from '../payments/order.ts';
import { countable, parsePageOrThrow, toConnection, totalCount } from '../pages.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { toUserErrors } from '../refusals.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    paymentLink: (_, { id }, { loaders }, info) => linksFor(info, loaders).load(id),
    paymentLinks: async (_, { filter, sort, ...page }, context, info) => {
      const { app, viewer } = context;
      refuseBuyerFilters(context, filter);
      const found = await listPaymentLinks(app, viewer, parsePageOrThrow(page), {
        ...{ filter, sort, columns: paymentLinkColumns.ofList(info) },
      });
      if (!found.ok) throw invalidArguments(found.refusals);
      return countable(toConnection(found.value, paymentLinkKey(sort)), (atMost) =>
        countPaymentLinks(app, viewer, filter, atMost),
      );
    },
  },
  PaymentLinkConnection: { totalCount },
  Mutation: {
    createPaymentLink: async (_, { input, idempotencyKey }, context) => {
      const { app, viewer } = context;
      refuseRoutingVersion(context, input);
      const created = await createPaymentLink(app, viewer, input, idempotencyKey);
      if (!created.ok)
        return { paymentLink: null, userErrors: toUserErrors(created.refusals), replayed: false };
      return { ...created.value, userErrors: [] };
    },
    expirePaymentLink: async (_, { id }, { app, viewer }) => {
      const expired = await expirePaymentLink(app, viewer, id);
      if (!expired.ok) return { paymentLink: null, userErrors: toUserErrors(expired.refusals) };
      return { paymentLink: expired.value, userErrors: [] };
    },
  },
  CreatePaymentLinkPayload: {
    paymentLinkId: ({ paymentLink }) => paymentLink?.id ?? null,
    paymentLinkUrl: ({ paymentLink }, _, { loaders }) =>
      paymentLink ? urlOf(paymentLink.id, loaders) : null,
  },
  PaymentLink: {
    __resolveReference: ({ id }, { loaders }, info) => linksFor(info, loaders).load(id),
    ...merchantAccountOf,
    type: () => 'payment-link',
    url: ({ id }, _, { loaders }) => urlOf(id, loaders),
    buyer: ({ buyer, buyerId }) => buyer && { ...buyer, id: buyerId },
    routingVersion: ({ routingVersionId }) => (routingVersionId === null ? null : { id: routingVersionId }),
    buyerRecord: ({ buyerId }) => (buyerId === null ? null : { id: buyerId }),
    cartItems: cartItemsOf,
    transactions: async ({ id }, page, { loaders }) => {
      const { limit } = parsePageOrThrow(page);
      const latest = await loaders.transactionsOfLink.load(id);
      return latest.slice(0, limit).map((transaction) => ({ id: transaction.id }));
    },
  },
  PaymentLinkShippingDetails: { buyer: ({ buyerId }) => (buyerId == null ? null : { id: buyerId }) },
  Transaction: {
    __resolveReference: ({ id }) => ({ id }),
    paymentLink: async ({ id }, _, { loaders }, info) => {
      const transaction = await loaders.lineTransaction.load(id);
      const linkId = transaction?.paymentLinkId ?? null;
      return linkId === null ? null : linksFor(info, loaders).load(linkId);
    },
  },
};

async function urlOf(id: string, loaders: Loaders): Promise<string> {
  const url = await loaders.paymentLinkUrl.load(id);
  if (url === null) throw new Error(`Payment link ${id} is gone`);
  return url;
}

/** Hosted pages that collect one payment each. */
export const paymentLinksSubgraph: Subgraph = { name: 'payment-links', resolvers };
