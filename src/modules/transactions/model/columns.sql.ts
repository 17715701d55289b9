import { columnSet, type ColumnSet } from '../../../platform/column-set.ts';
import { Prisma } from '../../../platform/generated/prisma/client.ts';
import type { Operation } from './operation.ts';
import type { Transaction } from './transaction.ts';

const OF_TRANSACTION = Object.values(Prisma.TransactionScalarFieldEnum);

const BRIEF = [
  ...(['id', 'status', 'amount', 'currency', 'country', 'capturedAmount', 'refundedAmount'] as const),
  ...(['externalIdentifier', 'method', 'paymentServiceId', 'createdAt', 'updatedAt'] as const),
];

const LINE = [
  ...BRIEF,
  ...(['merchantAccountId', 'intent', 'intentOutcome', 'authorizedAmount', 'increasePendingAmount'] as const),
  ...([
    'reauthorizePending',
    'capturePendingAmount',
    'refundPendingAmount',
    'captureReversedAmount',
  ] as const),
  ...([
    'refundReversedAmount',
    'disputeLostAmount',
    'giftCardAmount',
    'voidPending',
    'captureClosed',
  ] as const),
  ...(['paymentSource', 'merchantInitiated', 'isSubsequentPayment', 'instrumentType', 'cardScheme'] as const),
  ...(['cardBin', 'cardLastFour', 'cardExpirationDate', 'cardFingerprint', 'cardCountry'] as const),
  ...(['paymentMethodId', 'buyerId', 'paymentLinkId', 'paymentServiceTransactionId', 'errorCode'] as const),
  ...(['fraudReview', 'authorizedAt', 'capturedAt'] as const),
];

/**
 * The column sets of a transaction, from the smallest. Each contains the one before it. Each has the columns of every sort
 * and the id.
 *
 * - `brief`: the lines of a list.
 * - `line`: the amounts and the card, too.
 * - `whole`: every column.
 */
export const TRANSACTION_COLUMNS = {
  brief: columnSet<Transaction>('brief', BRIEF, OF_TRANSACTION),
  line: columnSet<Transaction>('line', LINE, OF_TRANSACTION),
  whole: columnSet<Transaction>('whole', OF_TRANSACTION, OF_TRANSACTION),
} as const satisfies Readonly<Record<string, ColumnSet<Transaction>>>;

/** The name of a column set of a transaction. */
export type TransactionColumns = keyof typeof TRANSACTION_COLUMNS;

const OF_OPERATION = Object.values(Prisma.OperationScalarFieldEnum);

const BRIEF_OPERATION = [
  ...([
    'id',
    'transactionId',
    'kind',
    'status',
    'amount',
    'currency',
    'final',
    'externalIdentifier',
  ] as const),
  ...([
    'reason',
    'redemptionId',
    'providerReference',
    'errorCode',
    'settledAt',
    'createdAt',
    'updatedAt',
  ] as const),
];

/** The column sets of an operation. The lines of captures and refunds need `brief`. Every column is in `whole`. */
export const OPERATION_COLUMNS = {
  brief: columnSet<Operation>('brief', BRIEF_OPERATION, OF_OPERATION),
  whole: columnSet<Operation>('whole', OF_OPERATION, OF_OPERATION),
} as const satisfies Readonly<Record<string, ColumnSet<Operation>>>;

/** The name of a column set of an operation. */
export type OperationColumns = keyof typeof OPERATION_COLUMNS;
