import {
  approveRefund,
  findRefundApprovals,
  isSamePerson,
  listRefundApprovals,
  personOf,
  refundableAlone,
  refundLimitOf,
  rejectRefund,
  requesterOf,
  statusAt,
  withdrawRefund,
} from '../../../modules/transactions/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/transactions.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors, type Refusal } from '../refusals.ts';
import { transactionsFor } from './transaction-columns.ts';

type Of<Name extends 'Query' | 'Mutation' | 'Transaction', Field extends string> = Pick<
  NonNullable<Resolvers[Name]>,
  Field & keyof NonNullable<Resolvers[Name]>
>;

const Query: Of<'Query', 'refundApproval' | 'refundApprovals'> = {
  refundApproval: async (_, { id }, { app, viewer }) =>
    (await findRefundApprovals(app, viewer, [id]))[0] ?? null,
  refundApprovals: async (_, { status, ...page }, { app, viewer }) => {
    const found = await listRefundApprovals(app, viewer, parsePageOrThrow(page), status);
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
};

const Mutation: Of<'Mutation', 'approveRefund' | 'rejectRefund' | 'withdrawRefund'> = {
  approveRefund: async (_, { id }, { app, viewer }) => {
    const done = await approveRefund(app, viewer, id);
    if (!done.ok) return { ...refused(done.refusals), refund: null };
    const { approval, answer, refusals } = done.value;
    return { approval, refund: answer?.operation ?? null, userErrors: toUserErrors(refusals) };
  },
  rejectRefund: async (_, { id, reason }, { app, viewer }) => {
    const done = await rejectRefund(app, viewer, id, reason);
    return done.ok ? { approval: done.value, userErrors: [] } : refused(done.refusals);
  },
  withdrawRefund: async (_, { id }, { app, viewer }) => {
    const done = await withdrawRefund(app, viewer, id);
    return done.ok ? { approval: done.value, userErrors: [] } : refused(done.refusals);
  },
};

const refused = (refusals: readonly Refusal[]) => ({ approval: null, userErrors: toUserErrors(refusals) });

const Transaction: Of<'Transaction', 'refundableAlone' | 'refundApprovals'> = {
  refundableAlone: async (transaction, _, { app, viewer, loaders }) => {
    const limit = refundLimitOf(app, viewer, transaction);
    if (limit === null) return null;
    const alone = (await loaders.refundedAlone.load(transaction.id)) ?? 0;
    return refundableAlone(transaction, { limit, alone });
  },
  refundApprovals: async ({ id }, { first }, { loaders }) => {
    const { limit } = parsePageOrThrow({ first });
    return (await loaders.refundApprovalsOf.load(id)).slice(0, limit);
  },
};

const types: Pick<Resolvers, 'ApproveRefundPayload' | 'RefundApproval'> = {
  ApproveRefundPayload: { refundId: ({ refund }) => refund?.id ?? null },
  RefundApproval: {
    transaction: async ({ transactionId: id }, _, { loaders }, info) => {
      const transaction = await transactionsFor(info, loaders).load(id);
      if (!transaction) throw new Error(`Transaction ${id} is gone`);
      return transaction;
    },
    status: (approval, _, { app }) => statusAt(approval, app.clock.now()),
    requestedByViewer: (approval, _, { viewer }) => {
      const person = personOf(viewer);
      return person !== null && isSamePerson(person, requesterOf(approval));
    },
    refund: ({ operationId }, _, { loaders }) =>
      operationId === null ? null : loaders.operation.load(operationId),
  },
};

/** The resolvers of refunds that need a second person. */
export const refundApprovals = { Query, Mutation, Transaction, types };
