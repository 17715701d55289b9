import {
  acceptDispute,
  listDisputes,
  submitDisputeEvidence,
  type DisputeRefusal,
} from '../../../modules/disputes/index.ts';
import type { IdempotencyRefusal } from '../../../kernel/refusal.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/disputes.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

/** The reference of a payment whose disputes are asked for. */
export type DisputedTransaction = { readonly id: string };

const resolvers: Resolvers = {
  Query: {
    dispute: (_, { id }, { loaders }) => loaders.dispute.load(id),
    disputes: async (_, { filter, ...page }, { app, viewer }) => {
      const found = await listDisputes(app, viewer, parsePageOrThrow(page), filter);
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
  },
  Mutation: {
    submitDisputeEvidence: async (_, { id, input, idempotencyKey }, { app, viewer, keyHeader }) => {
      const done = await submitDisputeEvidence(app, viewer, id, input, idempotencyKey ?? keyHeader);
      return done.ok ? { ...done.value, userErrors: [] } : refused(done.refusals);
    },
    acceptDispute: async (_, { id, idempotencyKey }, { app, viewer, keyHeader }) => {
      const done = await acceptDispute(app, viewer, id, idempotencyKey ?? keyHeader);
      return done.ok ? { ...done.value, userErrors: [] } : refused(done.refusals);
    },
  },
  Dispute: {
    __resolveReference: ({ id }, { loaders }) => loaders.dispute.load(id),
    type: () => 'dispute',
    transaction: ({ transactionId }) => ({ id: transactionId }),
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    responses: ({ id }, _, { loaders }) => loaders.responsesOf.load(id),
    paymentServiceDisputeId: ({ providerReference }) => providerReference,
  },
  Transaction: {
    __resolveReference: ({ id }) => ({ id }),
    disputes: async ({ id }, page, { loaders }) => {
      const { limit } = parsePageOrThrow(page);
      return (await loaders.disputesOf.load(id)).slice(0, limit);
    },
    disputed: async ({ id }, _, { loaders }) =>
      (await loaders.disputesOf.load(id)).some(({ stage }) => stage !== 'inquiry'),
  },
};

const refused = (refusals: readonly (DisputeRefusal | IdempotencyRefusal)[]) => ({
  ...{ dispute: null, response: null, userErrors: toUserErrors(refusals), replayed: false },
});

/** Disputes of payments. */
export const disputesSubgraph: Subgraph = { name: 'disputes', resolvers };
