import type { GraphQLResolveInfo } from 'graphql';
import type { OperationColumns, TransactionColumns } from '../../../modules/transactions/index.ts';
import type { Loaders } from '../../loaders.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { decidedBySelection } from '../../execution/selected-fields.ts';

/** The fields of a transaction by the first column set that answers them. Lists below a transaction need its id alone. */
export const columnsFor = smallestSet<TransactionColumns>({
  core: [
    ...['id', 'reconciliationId', 'status', 'amount', 'currency', 'paymentService', 'createdAt'],
    ...['captures', 'refunds', 'operations', 'attempts', 'events', 'giftCardRedemptions', 'refundApprovals'],
    'retryPlan',
  ],
  brief: ['country', 'capturedAmount', 'refundedAmount', 'externalIdentifier', 'method'],
  line: [
    ...['updatedAt', 'merchantAccountId', 'merchantAccount', 'intent', 'intentOutcome', 'authorizedAmount'],
    ...['increasePendingAmount', 'reauthorizationPending', 'captureReversedAmount', 'refundReversedAmount'],
    ...[
      'disputeLostAmount',
      'capturable',
      'refundable',
      'refundableAlone',
      'giftCardAmount',
      'giftCardRedeemedAmount',
    ],
    ...['paymentSource', 'merchantInitiated', 'isSubsequentPayment', 'instrumentType', 'card'],
    ...['paymentMethod', 'buyerId', 'buyerRecord', 'paymentLinkId', 'paymentServiceTransactionId'],
    ...['errorCode', 'pendingReview', 'reviewOutcome', 'authorizedAt', 'capturedAt'],
  ],
});

/**
 * Returns a function that names the smallest column set for some fields. The sets are listed from the smallest, each with the
 * fields that it answers beyond the one before. A field that is named nowhere needs the whole row.
 */
function smallestSet<Name extends string>(
  fieldsOf: Readonly<Record<Exclude<Name, 'whole'>, readonly string[]>>,
) {
  const sets = Object.entries<readonly string[]>(fieldsOf);
  const rankOf = new Map(sets.flatMap(([, fields], rank) => fields.map((field) => [field, rank] as const)));
  rankOf.set('__typename', 0);
  return (fields: ReadonlySet<string>): Name => {
    const ranks = Array.from(fields, (field) => rankOf.get(field) ?? sets.length);
    return (sets[Math.max(0, ...ranks)]?.[0] ?? 'whole') as Name;
  };
}

/** The paths to the rows of a list. */
const ROWS = [['nodes'], ['edges', 'node']] as const;

/** Returns the columns that a list of transactions reads. */
export const columnsOfList = decidedBySelection(ROWS, columnsFor);

const columnsOfOne = decidedBySelection([[]], columnsFor);

const LOADERS = {
  core: 'coreTransaction',
  brief: 'briefTransaction',
  line: 'lineTransaction',
  whole: 'transaction',
} as const satisfies Record<TransactionColumns, keyof Loaders>;

/** Returns the loader of transactions with the columns of the selection. */
export const transactionsFor = (info: GraphQLResolveInfo, loaders: Loaders): Loaders['transaction'] =>
  loaders[LOADERS[columnsOfOne(info)]];

/** The fields of an operation of any type by the first column set that answers them. */
const columnsForOperations = smallestSet<OperationColumns>({
  core: ['id', 'kind', 'status', 'amount', 'currency', 'createdAt'],
  brief: [
    ...['transactionId', 'transaction', 'final', 'externalIdentifier', 'reason', 'redemptionId'],
    ...['redemption', 'origin'],
    ...['paymentServiceCaptureId', 'paymentServiceRefundId', 'paymentServiceReference'],
    ...['paymentServiceTransactionId', 'errorCode', 'capturedAt', 'settledAt', 'updatedAt'],
  ],
});

/** Returns the columns that a list of operations is read with. */
export const columnsOfOperations = decidedBySelection([[]], columnsForOperations);

/** Returns the columns that a page of a payment's history is read with. */
export const columnsOfHistory = decidedBySelection(
  ROWS,
  smallestSet<LineOrWhole>({ line: ['id', 'name', 'createdAt'] }),
);

/** The fields of a transaction that list captures or refunds, by kind. */
const FOLLOW_UPS = { capture: 'captures', refund: 'refunds' } as const;

const kindsOfList = decidedBySelection(ROWS, (fields) =>
  (['capture', 'refund'] as const).filter((kind) => fields.has(FOLLOW_UPS[kind])),
);

const columnsBelowList = decidedBySelection(
  ROWS.flatMap((path) => Object.values(FOLLOW_UPS).map((field) => [...path, field])),
  columnsForOperations,
);

/** Returns the captures and refunds that an operation selects below a list of transactions, and their columns. */
export const followUpsOfList = (info: GraphQLResolveInfo) => ({
  kinds: kindsOfList(info),
  columns: columnsBelowList(info),
});
