import type { GraphQLResolveInfo } from 'graphql';
import {
  providerKeyOf,
  reversalCodeOf,
  reversedAtOf,
  sharesOf,
  type Operation,
  type ShownOperation,
  type ShownTransaction,
} from '../../../modules/transactions/index.ts';
import type { GraphContext } from '../../context.ts';
import type { Resolvers } from '../../generated/transactions.ts';
import type { Loaders } from '../../loaders.ts';
import { transactionsFor } from './transaction-columns.ts';
import { captureOf, partsOf, redemptionOf } from '../stored-answers.ts';

type OperationTypes =
  | 'Operation'
  | 'AuthorizationAttempt'
  | 'Capture'
  | 'Refund'
  | 'RefundedCapture'
  | 'Void'
  | 'Cancel';

/** The fields of a success that the provider took back. A result stored by an earlier release has no such columns. */
const reversal = {
  reversedAmount: ({ reversedAmount }: Partial<Operation>): number => reversedAmount ?? 0,
  reversedAt: (operation: Operation): Date | null => reversedAtOf(operation),
  reversalCode: (operation: Operation): string | null => reversalCodeOf(operation),
};

/** The shares of an operation. A result stored by an earlier release has no such column. */
const splits = {
  splits: (operation: Partial<Operation>) => sharesOf(operation),
};

/** The origin of an operation. A result stored by an earlier release has no such column, and its operation was requested. */
const origin = {
  origin: ({ origin: of }: Partial<Operation>): Operation['origin'] => of ?? 'requested',
};

/** The transaction of an operation. The operation of a stored answer has the transaction of that answer. */
const transactionOf = {
  transaction: async (
    { transactionId, of }: ShownOperation,
    _: unknown,
    { loaders }: GraphContext,
    info: GraphQLResolveInfo,
  ): Promise<ShownTransaction> => {
    if (of) return of;
    const transaction = await transactionsFor(info, loaders).load(transactionId);
    if (!transaction) throw new Error(`Transaction ${transactionId} is gone`);
    return transaction;
  },
};

/** Loads an operation by its id. Null for an unknown one and for an operation of another kind. */
export async function operationOfKind(
  kind: Operation['kind'],
  id: string,
  { operation }: Loaders,
): Promise<Operation | null> {
  const found = await operation.load(id);
  return found?.kind === kind ? found : null;
}

/** The resolvers of each type that shows an operation. */
export const operationResolvers: Pick<Resolvers, OperationTypes> = {
  Operation: {
    __resolveReference: ({ id }, { loaders }) => loaders.operation.load(id),
    // The database keeps the kind as unredeem. Redemptions here are REVERSING and REVERSED.
    kind: ({ kind }) => (kind === 'unredeem' ? 'reverse' : kind),
    ...origin,
    ...transactionOf,
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    paymentServiceKey: (operation) => providerKeyOf(operation),
    paymentServiceReference: ({ providerReference }) => providerReference,
    unknown: (operation) => unknownOf(operation),
  },
  AuthorizationAttempt: {
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    choice: (operation) => choiceOf(operation),
    paymentServiceTransactionId: ({ providerReference }) => providerReference,
    unknown: (operation) => unknownOf(operation),
  },
  Capture: {
    __resolveReference: ({ id }, { loaders }) => operationOfKind('capture', id, loaders),
    ...origin,
    ...transactionOf,
    ...splits,
    paymentServiceCaptureId: ({ providerReference }) => providerReference,
    capturedAt: (operation) => confirmedAt(operation),
    ...reversal,
    unknown: (operation) => unknownOf(operation),
  },
  Refund: {
    __resolveReference: ({ id }, { loaders }) => operationOfKind('refund', id, loaders),
    ...origin,
    ...transactionOf,
    ...splits,
    status: (refund) => refundStatusOf(refund),
    captures: (refund) => partsOf(refund),
    redemption: (refund, _, { loaders }) => redemptionOf(refund, loaders),
    paymentServiceRefundId: ({ providerReference }) => providerReference,
    ...reversal,
    unknown: (operation) => unknownOf(operation),
  },
  RefundedCapture: {
    capture: (part, _, { loaders }) => captureOf(part, loaders),
  },
  Void: {
    ...transactionOf,
    voidedAt: (operation) => confirmedAt(operation),
    unknown: (operation) => unknownOf(operation),
  },
  Cancel: {
    ...transactionOf,
    canceledAt: (operation) => confirmedAt(operation),
    unknown: (operation) => unknownOf(operation),
  },
};

/** Returns the status of a refund. A refund is `processing` in the API, and `pending` in events. */
export const refundStatusOf = ({ status }: Operation) => (status === 'pending' ? 'processing' : status);

const unknownOf = ({ unknownAt, unknownCause, nextAttemptAt }: Operation) =>
  unknownAt && unknownCause ? { cause: unknownCause, since: unknownAt, nextAttemptAt } : null;

const confirmedAt = ({ status, settledAt }: Operation): Date | null =>
  status === 'succeeded' ? settledAt : null;

/** Returns the payment service of an authorisation. The database checks that each authorisation has one. */
function choiceOf({ id, choice }: Operation) {
  if (choice === null) throw new Error(`Operation ${id} is no authorisation`);
  return choice;
}
