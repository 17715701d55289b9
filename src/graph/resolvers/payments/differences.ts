import {
  adoptDifference,
  dismissDifference,
  findDifference,
  isAdoptable,
  listDifferences,
  previewAdoption,
} from '../../../modules/transactions/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/transactions.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors, type Refusal } from '../refusals.ts';
import { transactionsFor } from './transaction-columns.ts';

type Of<Name extends 'Query' | 'Mutation', Field extends string> = Pick<
  NonNullable<Resolvers[Name]>,
  Field & keyof NonNullable<Resolvers[Name]>
>;

const Query: Of<'Query', 'difference' | 'differences'> = {
  difference: (_, { id }, { app, viewer }) => findDifference(app, viewer, id),
  differences: async (_, { filter, ...page }, { app, viewer }) => {
    const found = await listDifferences(app, viewer, parsePageOrThrow(page), filter);
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
};

const Mutation: Of<'Mutation', 'adoptDifference' | 'dismissDifference'> = {
  adoptDifference: async (_, { id }, { app, viewer }) => {
    const done = await adoptDifference(app, viewer, id);
    return done.ok ? { difference: done.value, userErrors: [] } : refused(done.refusals);
  },
  dismissDifference: async (_, { id, reason }, { app, viewer }) => {
    const done = await dismissDifference(app, viewer, id, reason);
    return done.ok ? { difference: done.value, userErrors: [] } : refused(done.refusals);
  },
};

const refused = (refusals: readonly Refusal[]) => ({ difference: null, userErrors: toUserErrors(refusals) });

const types: Pick<Resolvers, 'Difference'> = {
  Difference: {
    __resolveReference: ({ id }, { app, viewer }) => findDifference(app, viewer, id),
    transaction: async ({ transactionId: id }, _, { loaders }, info) => {
      const transaction = await transactionsFor(info, loaders).load(id);
      if (!transaction) throw new Error(`Transaction ${id} is gone`);
      return transaction;
    },
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    operation: ({ operationId }, _, { loaders }) =>
      operationId === null ? null : loaders.operation.load(operationId),
    // The database keeps the kind as unredeem, which no provider reports.
    operationKind: ({ kind }) => (kind === 'unredeem' ? 'reverse' : kind),
    paymentServiceReference: ({ subject }) => subject,
    reported: ({ reportedAmount: amount, reportedCurrency: currency }) =>
      amount === null || currency === null ? null : { amount, currency },
    adoptable: (difference) => isAdoptable(difference),
    adoption: (difference, _, { app }) => previewAdoption(app, difference),
  },
};

/** The resolvers of differences between payments here and their providers. */
export const differences = { Query, Mutation, types };
