import type { GraphQLResolveInfo } from 'graphql';
import {
  cancelTransaction,
  capturable,
  captureTransaction,
  countTransactions,
  createTransaction,
  createTransactionSession,
  currentApprovalExpiresAt,
  currentApprovalUrl,
  historyRequest,
  increaseAuthorization,
  listDeclineCodes,
  listTransactions,
  listUnresolvedOperations,
  reauthorizeTransaction,
  redeemedAmount,
  refundable,
  refundTransaction,
  resolveOperation,
  resolveReview,
  sessionTokenOf,
  syncTransaction,
  threeDSecureOf,
  transactionCountOf,
  transactionKey,
  transactionsOf,
  updateTransaction,
  voidTransaction,
  type Answer,
  type ShownOperation,
  type OwnerColumn,
  type Transaction,
  type TransactionRefusal,
  type TransactionSort,
} from '../../../modules/transactions/index.ts';
import { reconciliationIdOf } from '../../../kernel/reconciliation-id.ts';
import type { Refused, Result } from '../../../kernel/result.ts';
import { invalidArguments } from '../../errors.ts';
import type { PageArguments } from '../../../kernel/page.ts';
import type { GraphContext } from '../../context.ts';
import type { InputMaybe, Resolvers, TransactionFilter } from '../../generated/transactions.ts';
import type { Loaders } from '../../loaders.ts';
import { bankOf } from './bank-payment.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { operationOfKind, operationResolvers } from './operations.ts';
import { refuseBuyerFilters, refuseDisputeFilter } from '../scoped-arguments.ts';
import { attachFollowUps, followUpsOf, isBrief } from './follow-ups.ts';
import { orderOf } from './order.ts';
import { outcomeResolvers } from './outcomes.ts';
import { countable, parsePageOrThrow, toConnection, totalCount } from '../pages.ts';
import { redemptionResolvers } from './redemptions.ts';
import { reports } from './provider-reports.ts';
import { refundApprovals } from './refund-approvals.ts';
import { toUserErrors } from '../refusals.ts';
import { retryPlans } from '../retry-plans.ts';
import { routing } from './routing.ts';
import { operationsOf, redemptionsOf, shownOperation, shownTransaction } from '../stored-answers.ts';
import { columnsOfHistory, columnsOfList, transactionsFor } from './transaction-columns.ts';
import { requireFingerprints } from '../../federation/scopes.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

/** The reference of a buyer, a payment method or a payment service whose transactions are asked for. */
export type Payer = { readonly id: string };

const resolvers: Resolvers = {
  Query: {
    transaction: (_, { id }, { loaders }, info) => transactionsFor(info, loaders).load(id),
    capture: (_, { id }, { loaders }) => operationOfKind('capture', id, loaders),
    refund: (_, { id }, { loaders }) => operationOfKind('refund', id, loaders),
    operation: (_, { id }, { loaders }) => loaders.operation.load(id),
    transactions: async (_, args, context, info) => {
      const { app, viewer } = context;
      const { page, ...given } = listOf(args, context, info);
      const found = await listTransactions(app, viewer, page, given);
      if (!found.ok) throw invalidArguments(found.refusals);
      await attachFollowUps(found.value.items, context, info);
      return countable(toConnection(found.value, transactionKey(given.sort)), (atMost) =>
        countTransactions(app, viewer, given.filter, atMost),
      );
    },
    unresolvedOperations: async (_, page, { app, viewer }) => {
      const found = await listUnresolvedOperations(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    ...refundApprovals.Query,
    ...reports.Query,
    declineCodes: () => listDeclineCodes(),
    ...routing.Query,
  },
  Mutation: {
    ...refundApprovals.Mutation,
    ...retryPlans.Mutation,
    ...reports.Mutation,
    cancelTransaction: async (_, { id, idempotencyKey }, { app, viewer, keyHeader }) => {
      const answer = await cancelTransaction(app, viewer, id, idempotencyKey ?? keyHeader);
      return { ...payload(answer), cancel: operationOf(answer) };
    },
    syncTransaction: async (_, { id }, { app, viewer }) => {
      const answer = await syncTransaction(app, viewer, id);
      return answer.ok ? { ...answer.value, userErrors: [] } : { operations: [], ...refused(answer) };
    },
    resolveOperation: async (_, { id, input }, { app, viewer }) => {
      const answer = await resolveOperation(app, viewer, id, input);
      return answer.ok ? { ...answer.value, userErrors: [] } : refused(answer);
    },
    createTransaction: async (_, { input, idempotencyKey }, { app, viewer, keyHeader }) => {
      const answer = await createTransaction(app, viewer, input, idempotencyKey ?? keyHeader);
      const sessionToken = answer.ok ? await sessionTokenOf(app, answer.value) : null;
      return { ...payload(answer), sessionToken };
    },
    createTransactionSession: async (_, { id, token }, { app, viewer }) => {
      const answer = await createTransactionSession(app, viewer, { id, token });
      if (answer.ok) return { session: answer.value, userErrors: [] };
      return { session: null, userErrors: toUserErrors(answer.refusals) };
    },
    captureTransaction: async (_, { id, input, idempotencyKey }, { app, viewer, keyHeader }) => {
      const answer = await captureTransaction(app, viewer, id, input, idempotencyKey ?? keyHeader);
      return { ...payload(answer), capture: operationOf(answer) };
    },
    increaseAuthorization: async (_, { id, input, idempotencyKey }, { app, viewer, keyHeader }) => {
      const answer = await increaseAuthorization(app, viewer, id, input, idempotencyKey ?? keyHeader);
      return { ...payload(answer), increase: operationOf(answer) };
    },
    reauthorizeTransaction: async (_, { id, idempotencyKey }, { app, viewer, keyHeader }) => {
      const answer = await reauthorizeTransaction(app, viewer, id, idempotencyKey ?? keyHeader);
      return { ...payload(answer), reauthorization: operationOf(answer) };
    },
    refundTransaction: async (_, { id, input, idempotencyKey }, { app, viewer, loaders, keyHeader }) => {
      const done = await refundTransaction(app, viewer, id, input, idempotencyKey ?? keyHeader);
      if (!done.ok) return { ...refused(done), replayed: false, refund: null, refunds: [], approval: null };
      const { answer, approval, refusals, replayed } = done.value;
      const transaction = answer && shownTransaction(answer);
      const refund = answer && shownOperation(answer.operation, transaction);
      const refunds = refund ? await refundsWith(refund, loaders) : [];
      return { transaction, refund, refunds, approval, userErrors: toUserErrors(refusals), replayed };
    },
    resolveReview: async (_, { id, input, idempotencyKey }, { app, viewer, keyHeader }) => {
      const answer = await resolveReview(app, viewer, id, input, idempotencyKey ?? keyHeader);
      const shown = payload(answer);
      const operation = followedBy(operationOf(answer));
      return { ...shown, operation: operation && shownOperation(operation, shown.transaction) };
    },
    updateTransaction: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateTransaction(app, viewer, id, input);
      return updated.ok ? { transaction: updated.value, userErrors: [] } : refused(updated);
    },
    voidTransaction: async (_, { id, idempotencyKey }, { app, viewer, keyHeader }) => {
      const answer = await voidTransaction(app, viewer, id, idempotencyKey ?? keyHeader);
      return { ...payload(answer), void: operationOf(answer) };
    },
  },
  Transaction: {
    __resolveReference: ({ id }, { loaders }, info) => transactionsFor(info, loaders).load(id),
    ...merchantAccountOf,
    ...refundApprovals.Transaction,
    ...retryPlans.Transaction,
    capturable: (transaction) => capturable(transaction),
    refundable: (transaction) => refundable(transaction),
    // A result stored by an earlier release has no such columns.
    increasePendingAmount: ({ increasePendingAmount: amount }: Partial<Transaction>) => amount ?? 0,
    reauthorizationPending: ({ reauthorizePending }: Partial<Transaction>) => reauthorizePending ?? false,
    captureReversedAmount: ({ captureReversedAmount: amount }: Partial<Transaction>) => amount ?? 0,
    refundReversedAmount: ({ refundReversedAmount: amount }: Partial<Transaction>) => amount ?? 0,
    disputeLostAmount: ({ disputeLostAmount: amount }: Partial<Transaction>) => amount ?? 0,
    card: (transaction) => cardOf(transaction),
    // A result stored by an earlier release has no such column.
    bank: ({ bank }: Partial<Transaction>) => (bank ? bankOf(bank) : null),
    approvalExpiresAt: (transaction) => currentApprovalExpiresAt(transaction),
    approvalUrl: (transaction) => currentApprovalUrl(transaction),
    reconciliationId: ({ id }) => reconciliationIdOf(id),
    threeDSecure: (transaction) => threeDSecureOf(transaction),
    ...orderOf,
    splits: ({ splits }: Partial<Transaction>) => splits ?? null,
    ...routing.Transaction,
    paymentService: ({ paymentServiceId }) => (paymentServiceId === null ? null : { id: paymentServiceId }),
    pendingReview: ({ fraudReview }) => fraudReview === 'pending',
    reviewOutcome: ({ fraudReview }) => fraudReview,
    antiFraudService: ({ antiFraudServiceId: id }) => (id == null ? null : { id }),
    buyerRecord: ({ buyerId }) => (buyerId == null ? null : { id: buyerId }),
    paymentMethod: ({ paymentMethodId }) => (paymentMethodId == null ? null : { id: paymentMethodId }),
    captures: (transaction, _, { loaders }, info) => followUpsOf(transaction, 'capture', loaders, info),
    refunds: (transaction, _, { loaders }, info) => followUpsOf(transaction, 'refund', loaders, info),
    operations: (transaction, _, { loaders }, info) => {
      const loader = isBrief(transaction, info) ? loaders.briefOperations : loaders.operations;
      return operationsOf(transaction, loader.load(transaction.id));
    },
    attempts: (transaction, _, { loaders }, info) => {
      const loader = isBrief(transaction, info) ? loaders.briefAttempts : loaders.attempts;
      return operationsOf(transaction, loader.load(transaction.id));
    },
    giftCardRedemptions: (transaction, _, { loaders }) => redemptionsOf(transaction, loaders),
    giftCardRedeemedAmount: async (transaction, _, { loaders }) =>
      transaction.giftCardAmount === 0 ? 0 : redeemedAmount(await redemptionsOf(transaction, loaders)),
    events: async ({ id, stored }, page, { loaders }, info) => {
      const request = historyRequest(id, parsePageOrThrow(page), stored?.at ?? null);
      if (!request.ok) throw invalidArguments(request.refusals);
      const history = columnsOfHistory(info) === 'line' ? loaders.lineHistory : loaders.history;
      return toConnection(await history.load(request.value));
    },
  },
  TransactionConnection: { totalCount },
  Buyer: ownerOf('buyer_id'),
  PaymentMethod: ownerOf('payment_method_id'),
  PaymentService: ownerOf('payment_service_id'),
  ...routing.types,
  ...operationResolvers,
  ...redemptionResolvers,
  ...outcomeResolvers,
  ...refundApprovals.types,
  ...retryPlans.types,
  ...reports.types,
};

type ListArguments = PageArguments & {
  readonly filter?: InputMaybe<TransactionFilter>;
  readonly sort: TransactionSort;
};

/** Reads the arguments of a list. Throws FORBIDDEN for a filter that the token may not use. */
function listOf({ filter, sort, ...page }: ListArguments, context: GraphContext, info: GraphQLResolveInfo) {
  refuseBuyerFilters(context, filter);
  requireFingerprints(context, filter?.cardFingerprint);
  refuseDisputeFilter(context, filter);
  return { page: parsePageOrThrow(page), filter, sort, columns: columnsOfList(info) };
}

/** The transactions of a record that a column of theirs names. */
function ownerOf(column: OwnerColumn) {
  return {
    __resolveReference: ({ id }: Payer) => ({ id }),
    transactions: async (
      { id }: Payer,
      args: ListArguments,
      context: GraphContext,
      info: GraphQLResolveInfo,
    ) => {
      const { page, ...given } = listOf(args, context, info);
      const request = transactionsOf(column, id, page, given);
      if (!request.ok) throw invalidArguments(request.refusals);
      const found = await context.loaders.transactionsOf.load(request.value);
      if (!found.ok) throw invalidArguments(found.refusals);
      return countable(toConnection(found.value, transactionKey(given.sort)), (atMost) =>
        context.loaders.transactionCountsOf.load(transactionCountOf(request.value, atMost)),
      );
    },
  };
}

/** Builds the payload that all money mutations share. */
const payload = (answer: Result<Answer, TransactionRefusal>) =>
  answer.ok
    ? { transaction: shownTransaction(answer.value), userErrors: [], replayed: answer.value.replayed }
    : { ...refused(answer), replayed: false };

const refused = ({ refusals }: Refused<TransactionRefusal>) => ({
  transaction: null,
  userErrors: toUserErrors(refusals),
});

/** The operation of an answer. One of a stored answer keeps the transaction of the answer. */
const operationOf = (answer: Result<Answer, TransactionRefusal>) =>
  answer.ok ? shownOperation(answer.value.operation, shownTransaction(answer.value)) : null;

/** The capture or void that followed a review. Without one, the operation is the authorisation. */
const followedBy = (operation: ShownOperation | null): ShownOperation | null =>
  operation?.kind === 'authorize' ? null : operation;

/**
 * The refunds of one request, in their order of execution and in their present state. After a crash, some end later than
 * the stored answer.
 */
async function refundsWith(first: ShownOperation, loaders: Loaders): Promise<readonly ShownOperation[]> {
  if (first.batchId === null) return [first];
  const { transactionId, of = null } = first;
  const all = await loaders.followUps.load({ transactionId, kind: 'refund' });
  const together = all.filter(({ batchId }) => batchId === first.batchId).toReversed();
  return together.map((refund) => shownOperation(refund, of));
}

function cardOf(transaction: Transaction) {
  const { cardScheme, cardBin, cardLastFour, cardExpirationDate, cardFingerprint, cardCountry } = transaction;
  const { cardNetwork } = transaction;
  if ((cardScheme ?? cardBin ?? cardLastFour ?? cardExpirationDate ?? cardNetwork) === null) return null;
  return {
    scheme: cardScheme,
    network: cardNetwork,
    bin: cardBin,
    lastFour: cardLastFour,
    expirationDate: cardExpirationDate,
    fingerprint: cardFingerprint,
    country: cardCountry,
  };
}

/** Transactions and the operations on them. */
export const transactionsSubgraph: Subgraph = { name: 'transactions', resolvers };
