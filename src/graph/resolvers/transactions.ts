import {
  cancelTransaction,
  capturable,
  captureTransaction,
  createTransaction,
  createTransactionSession,
  currentApprovalUrl,
  explainRouting,
  historyRequest,
  listTransactions,
  listUnresolvedOperations,
  redeemedAmount,
  refundable,
  refundTransaction,
  resolveOperation,
  resolveReview,
  sessionTokenOf,
  syncTransaction,
  threeDSecureOf,
  transactionKey,
  voidTransaction,
  type Answer,
  type Operation,
  type Transaction,
  type TransactionRefusal,
} from '../../modules/transactions/index.ts';
import { reconciliationIdOf } from '../../kernel/reconciliation-id.ts';
import type { Refused, Result } from '../../kernel/result.ts';
import { invalidArguments } from '../errors.ts';
import type { Resolvers } from '../generated/transactions.ts';
import type { Loaders } from '../loaders.ts';
import { operationResolvers } from './operations.ts';
import { parsePageOrThrow, toConnection } from './pages.ts';
import { redemptionResolvers } from './redemptions.ts';
import { toUserErrors } from './refusals.ts';
import type { Subgraph } from '../federation/subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    transaction: (_, { id }, { loaders }) => loaders.transaction.load(id),
    transactions: async (_, { filter, sort, ...page }, { app, viewer }) => {
      const found = await listTransactions(app, viewer, parsePageOrThrow(page), { filter, sort });
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value, transactionKey(sort));
    },
    unresolvedOperations: async (_, page, { app, viewer }) => {
      const found = await listUnresolvedOperations(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    explainRouting: async (_, { input }, { app, viewer }) => {
      const explained = await explainRouting(app, viewer, input);
      if (!explained.ok) throw invalidArguments(explained.refusals);
      return explained.value;
    },
  },
  Mutation: {
    cancelTransaction: async (_, { id, idempotencyKey }, { app, viewer }) => {
      const answer = await cancelTransaction(app, viewer, id, idempotencyKey);
      return { ...payload(answer), cancel: answer.ok ? answer.value.operation : null };
    },
    syncTransaction: async (_, { id }, { app, viewer }) => {
      const answer = await syncTransaction(app, viewer, id);
      return answer.ok ? { ...answer.value, userErrors: [] } : { operations: [], ...refused(answer) };
    },
    resolveOperation: async (_, { id, input }, { app, viewer }) => {
      const answer = await resolveOperation(app, viewer, id, input);
      return answer.ok ? { ...answer.value, userErrors: [] } : refused(answer);
    },
    createTransaction: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const answer = await createTransaction(app, viewer, input, idempotencyKey);
      const sessionToken = answer.ok ? await sessionTokenOf(app, answer.value) : null;
      return { ...payload(answer), sessionToken };
    },
    createTransactionSession: async (_, { id, token }, { app, viewer }) => {
      const answer = await createTransactionSession(app, viewer, { id, token });
      if (answer.ok) return { session: answer.value, userErrors: [] };
      return { session: null, userErrors: toUserErrors(answer.refusals) };
    },
    captureTransaction: async (_, { id, input, idempotencyKey }, { app, viewer }) => {
      const answer = await captureTransaction(app, viewer, id, input, idempotencyKey);
      return { ...payload(answer), capture: answer.ok ? answer.value.operation : null };
    },
    refundTransaction: async (_, { id, input, idempotencyKey }, { app, viewer, loaders }) => {
      const answer = await refundTransaction(app, viewer, id, input, idempotencyKey);
      const refund = answer.ok ? answer.value.operation : null;
      return { ...payload(answer), refund, refunds: refund ? await refundsWith(refund, loaders) : [] };
    },
    resolveReview: async (_, { id, input, idempotencyKey }, { app, viewer }) => {
      const answer = await resolveReview(app, viewer, id, input, idempotencyKey);
      return { ...payload(answer), operation: answer.ok ? followedBy(answer.value.operation) : null };
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
    approvalUrl: (transaction) => currentApprovalUrl(transaction),
    reconciliationId: ({ id }) => reconciliationIdOf(id),
    threeDSecure: (transaction) => threeDSecureOf(transaction),
    cartItems: ({ cartItems, currency }) =>
      cartItems?.map((item) => ({ ...item, amount: { currency, value: item.unitAmount } })) ?? null,
    paymentService: ({ paymentServiceId }) => (paymentServiceId === null ? null : { id: paymentServiceId }),
    pendingReview: ({ fraudReview }) => fraudReview === 'pending',
    reviewOutcome: ({ fraudReview }) => fraudReview,
    antiFraudService: ({ antiFraudServiceId: id }) => (id == null ? null : { id }),
    paymentMethod: ({ paymentMethodId }) => (paymentMethodId == null ? null : { id: paymentMethodId }),
    captures: ({ id }, _, { loaders }) => loaders.captures.load(id),
    refunds: ({ id }, _, { loaders }) => loaders.refunds.load(id),
    operations: ({ id }, _, { loaders }) => loaders.operations.load(id),
    attempts: ({ id }, _, { loaders }) => loaders.attempts.load(id),
    giftCardRedemptions: ({ id }, _, { loaders }) => loaders.redemptions.load(id),
    giftCardRedeemedAmount: async ({ id, giftCardAmount }, _, { loaders }) =>
      giftCardAmount === 0 ? 0 : redeemedAmount(await loaders.redemptions.load(id)),
    events: async ({ id }, page, { loaders }) => {
      const request = historyRequest(id, parsePageOrThrow(page));
      if (!request.ok) throw invalidArguments(request.refusals);
      return toConnection(await loaders.history.load(request.value));
    },
  },
  RoutingCandidate: { paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }) },
  ConsideredPaymentService: { paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }) },
  ...operationResolvers,
  ...redemptionResolvers,
};

/** Builds the payload that all money mutations share. */
const payload = (answer: Result<Answer, TransactionRefusal>) =>
  answer.ok
    ? { transaction: answer.value.transaction, userErrors: [], replayed: answer.value.replayed }
    : { ...refused(answer), replayed: false };

const refused = ({ refusals }: Refused<TransactionRefusal>) => ({
  transaction: null,
  userErrors: toUserErrors(refusals),
});

/** The capture or void that followed a review. Without one, the operation is the authorisation. */
const followedBy = (operation: Operation): Operation | null =>
  operation.kind === 'authorize' ? null : operation;

/** The refunds of one request, in their order of execution. */
async function refundsWith(first: Operation, loaders: Loaders): Promise<readonly Operation[]> {
  if (first.batchId === null) return [first];
  const all = await loaders.refunds.load(first.transactionId);
  return all.filter(({ batchId }) => batchId === first.batchId).toReversed();
}

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
