import {
  circuitEffectOf,
  explainRouting,
  explainRoutingDecision,
} from '../../../modules/transactions/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/transactions.ts';

type Named = { readonly paymentServiceId: string };

const paymentService = ({ paymentServiceId }: Named) => ({ id: paymentServiceId });

/** Writes ten-thousandths as a decimal number. */
function decimalOf(parts: number): string {
  const digits = String(Math.abs(parts)).padStart(5, '0');
  return `${parts < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

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
    circuits: circuitEffectOf,
  } satisfies Resolvers['Transaction'],
  types: {
    RoutingCandidate: { paymentService },
    RoutingComparison: {
      figuresId: ({ figures }) => figures?.id ?? null,
      figuresMadeAt: ({ figures }) => (figures ? new Date(figures.madeAt) : null),
    },
    ComparedPaymentService: {
      paymentService,
      authorized: ({ authorized }) => authorized ?? null,
      lowerBound: ({ bound }) => (bound === undefined ? null : bound / 1_000_000),
      expectedFee: ({ fee }) => (fee === undefined ? null : decimalOf(fee)),
      feeSource: ({ source }) => source ?? null,
    },
    RoutingDecision: { version: ({ versionId }) => ({ id: versionId }) },
    CircuitEffect: {
      setBehind: ({ setBehind }) => setBehind.map((id) => ({ id })),
      triedAgain: ({ tried }) => tried.map((id) => ({ id })),
    },
    PassedOverPaymentService: { paymentService },
    ConsideredPaymentService: { paymentService },
  } satisfies Resolvers,
};
