import { explainRouting, explainRoutingDecision } from '../../../modules/transactions/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/transactions.ts';

type Named = { readonly paymentServiceId: string };

const paymentService = ({ paymentServiceId }: Named) => ({ id: paymentServiceId });

/** The routes of payments, before and after the payment. */
export const routing = {
  Query: {
    explainRouting: async (_, { input }, { app, viewer }) => {
      const explained = await explainRouting(app, viewer, input);
      if (!explained.ok) throw invalidArguments(explained.refusals);
      return explained.value;
    },
  } satisfies Resolvers['Query'],
  Transaction: {
    routing: (transaction, _, { app, viewer }) => explainRoutingDecision(app, viewer, transaction),
  } satisfies Resolvers['Transaction'],
  types: {
    RoutingCandidate: { paymentService },
    RoutingDecision: { version: ({ versionId }) => ({ id: versionId }) },
    PassedOverPaymentService: { paymentService },
    ConsideredPaymentService: { paymentService },
  } satisfies Resolvers,
};
