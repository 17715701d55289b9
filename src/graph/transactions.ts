import {
  capturable,
  captureTransaction,
  createTransaction,
  listTransactions,
  refundable,
  refundTransaction,
  voidTransaction,
  type Answer,
  type Transaction,
  type TransactionRefusal,
} from '../modules/transactions/index.ts';
import type { Result } from '../kernel/result.ts';
import { invalidArguments } from './errors.ts';
import type { Resolvers } from './generated/transactions.ts';
import { parsePageOrThrow, toConnection } from './pages.ts';
import { toUserErrors } from './refusals.ts';
import type { Subgraph } from './subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    transaction: (_, { id }, { loaders }) => loaders.transaction.load(id),
    transactions: async (_, { status, ...page }, { app, viewer }) => {
      const found = await listTransactions(app, viewer, parsePageOrThrow(page), { status: status ?? null });
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
  },
  Mutation: {
    createTransaction: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const answer = await createTransaction(app, viewer, input, idempotencyKey);
      return { ...payload(answer), transaction: answer.ok ? answer.value.transaction : null };
    },
    captureTransaction: async (_, { id, input, idempotencyKey }, { app, viewer }) => {
      const answer = await captureTransaction(app, viewer, id, input, idempotencyKey);
      return { ...payload(answer), capture: answer.ok ? answer.value.operation : null };
    },
    refundTransaction: async (_, { id, input, idempotencyKey }, { app, viewer }) => {
      const answer = await refundTransaction(app, viewer, id, input, idempotencyKey);
      return { ...payload(answer), refund: answer.ok ? answer.value.operation : null };
    },
    voidTransaction: async (_, { id, idempotencyKey }, { app, viewer }) => {
      const answer = await voidTransaction(app, viewer, id, idempotencyKey);
      return { ...payload(answer), void: answer.ok ? answer.value.operation : null };
    },
  },
  Transaction: {
    __resolveReference: ({ id }, { loaders }) => loaders.transaction.load(id),
    capturable: (transaction) => capturable(transaction),
    refundable: (transaction) => refundable(transaction),
    card: (transaction) => cardOf(transaction),
    paymentService: ({ paymentServiceId }) => (paymentServiceId === null ? null : { id: paymentServiceId }),
    captures: ({ id }, _, { loaders }) => loaders.captures.load(id),
    refunds: ({ id }, _, { loaders }) => loaders.refunds.load(id),
  },
  Capture: {
    paymentServiceCaptureId: ({ providerReference }) => providerReference,
    capturedAt: ({ status, settledAt }) => (status === 'succeeded' ? settledAt : null),
  },
  Refund: {
    paymentServiceRefundId: ({ providerReference }) => providerReference,
  },
  Void: {
    voidedAt: ({ status, settledAt }) => (status === 'succeeded' ? settledAt : null),
  },
};

/** What the answers of all money mutations have in common. */
const payload = (answer: Result<Answer, TransactionRefusal>) =>
  answer.ok
    ? { transaction: answer.value.transaction, userErrors: [], replayed: answer.value.replayed }
    : { transaction: null, userErrors: toUserErrors(answer.refusals), replayed: false };

function cardOf({ cardScheme, cardBin, cardLastFour, cardExpirationDate, cardFingerprint }: Transaction) {
  if (!cardBin || !cardLastFour || !cardExpirationDate || !cardFingerprint) return null;
  return {
    scheme: cardScheme,
    bin: cardBin,
    lastFour: cardLastFour,
    expirationDate: cardExpirationDate,
    fingerprint: cardFingerprint,
  };
}

/** Transactions and the operations on them. */
export const transactionsSubgraph: Subgraph = { name: 'transactions', resolvers };
