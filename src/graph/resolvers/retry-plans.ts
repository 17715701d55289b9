import { stopRetryPlan } from '../../modules/transactions/index.ts';
import type { Resolvers } from '../generated/transactions.ts';
import { toUserErrors } from './refusals.ts';

const Mutation: Pick<NonNullable<Resolvers['Mutation']>, 'stopRetryPlan'> = {
  stopRetryPlan: async (_, { id }, { app, viewer, loaders }) => {
    const stopped = await stopRetryPlan(app, viewer, id);
    if (!stopped.ok) return { transaction: null, userErrors: toUserErrors(stopped.refusals) };
    const transaction = await loaders.transaction.load(stopped.value.transactionId);
    return { transaction, userErrors: [] };
  },
};

const Transaction: Pick<NonNullable<Resolvers['Transaction']>, 'retryPlan'> = {
  retryPlan: ({ id }, _, { loaders }) => loaders.retryPlan.load(id),
};

const types: Pick<Resolvers, 'RetryPlan'> = {
  RetryPlan: {
    afterHours: ({ schedule }) => ('afterHours' in schedule ? schedule.afterHours : null),
    paydays: ({ schedule }) => ('paydays' in schedule ? schedule.paydays : null),
    tries: async ({ transactionId, declinedAt }, _, { loaders }) =>
      declinedAt === null
        ? []
        : (await loaders.attempts.load(transactionId)).filter(({ createdAt }) => createdAt > declinedAt),
  },
};

/** The resolvers of plans of later tries. */
export const retryPlans = { Mutation, Transaction, types };
