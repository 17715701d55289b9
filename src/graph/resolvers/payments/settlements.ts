import {
  explainSettlementDifference,
  listPayouts,
  listSettlementDifferences,
  listSettlements,
} from '../../../modules/settlements/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Subgraph } from '../../federation/subgraph.ts';
import type { Resolvers } from '../../generated/settlements.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';

/** The reference of a payment whose settlement is asked for. */
export type SettledTransaction = { readonly id: string };

/** The reference of a payment service whose settlements are asked for. */
export type SettlingService = { readonly id: string };

const resolvers: Resolvers = {
  Query: {
    settlement: (_, { id }, { loaders }) => loaders.settlement.load(id),
    settlements: async (_, { filter, ...page }, { app, viewer }) => {
      const found = await listSettlements(app, viewer, parsePageOrThrow(page), filter);
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    payouts: async (_, { filter, ...page }, { app, viewer }) => {
      const found = await listPayouts(app, viewer, parsePageOrThrow(page), filter);
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    settlementDifferences: async (_, { filter, ...page }, { app, viewer }) => {
      const found = await listSettlementDifferences(app, viewer, parsePageOrThrow(page), filter);
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
  },
  Mutation: {
    explainSettlementDifference: async (_, { id, reason }, { app, viewer }) => {
      const done = await explainSettlementDifference(app, viewer, id, reason);
      return done.ok
        ? { difference: done.value, userErrors: [] }
        : { difference: null, userErrors: toUserErrors(done.refusals) };
    },
  },
  Settlement: {
    __resolveReference: ({ id }, { loaders }) => loaders.settlement.load(id),
    type: () => 'settlement',
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    transaction: ({ transactionId }) => (transactionId === null ? null : { id: transactionId }),
    operation: ({ operationId }) => (operationId === null ? null : { id: operationId }),
    dispute: ({ disputeId }) => (disputeId === null ? null : { id: disputeId }),
    paymentServiceKind: ({ providerKind }) => providerKind,
    reportLine: ({ line }) => line,
    paymentServiceSettlementId: ({ reference }) => reference,
    paymentServicePayoutId: ({ payoutReference }) => payoutReference,
    originalAmount: ({ original }) => original?.amount ?? null,
    originalCurrency: ({ original }) => original?.currency ?? null,
    difference: (settlement) => (settlement.difference === null ? null : settlement),
  },
  SettlementDifference: {
    reason: ({ difference }) => {
      if (difference === null) throw new Error('The entry has no difference');
      return difference;
    },
    settlement: (settlement) => settlement,
    nextMatchAt: ({ rematchAt }) => rematchAt,
  },
  Payout: {
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    paymentServicePayoutId: ({ payoutReference }) => payoutReference,
    amount: ({ gross }) => (gross === 0 ? 0 : -gross),
  },
  Transaction: {
    __resolveReference: ({ id }) => ({ id }),
    settlement: ({ id }) => ({ id }),
  },
  TransactionSettlement: {
    totals: ({ id }, _, { loaders }) => loaders.settlementTotalsOf.load(id),
    entries: async ({ id }, page, { loaders }) => {
      const { limit } = parsePageOrThrow(page);
      return (await loaders.settlementsOf.load(id)).slice(0, limit);
    },
  },
  PaymentService: {
    __resolveReference: ({ id }) => ({ id }),
    settlementReporting: ({ id }, _, { loaders }) => loaders.settlementSource.load(id),
  },
};

/** The money that providers paid out. */
export const settlementsSubgraph: Subgraph = { name: 'settlements', resolvers };
