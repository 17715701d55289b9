import { columnSet, lineAndWhole, type ColumnSet } from '../../../platform/database/column-set.ts';
import { Prisma } from '../../../platform/generated/prisma/client.ts';
import type { HistoryEntry } from './history-entry.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';

/** All columns but `disputed`. Only filters read that one. */
const OF_TRANSACTION = Object.values(Prisma.TransactionScalarFieldEnum).filter(
  (column) => column !== 'disputed',
);

const CORE = ['id', 'status', 'amount', 'currency', 'paymentServiceId', 'createdAt'] as const;

const BRIEF = [
  ...CORE,
  ...(['country', 'capturedAmount', 'refundedAmount', 'externalIdentifier', 'method'] as const),
];

const LINE = [
  ...BRIEF,
  ...([
    'updatedAt',
    'merchantAccountId',
    'intent',
    'intentOutcome',
    'authorizedAmount',
    'increasePendingAmount',
  ] as const),
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
  ...([
    'cardBin',
    'cardLastFour',
    'cardExpirationDate',
    'cardFingerprint',
    'cardCountry',
    'cardNetwork',
  ] as const),
  ...(['paymentMethodId', 'buyerId', 'paymentLinkId', 'paymentServiceTransactionId', 'errorCode'] as const),
  ...(['fraudReview', 'authorizedAt', 'capturedAt'] as const),
];

/**
 * The column sets of a transaction, from the smallest. Each contains the one before it. Each has the id, the amount and the
 * time of creation. `line` and `whole` have the columns of every sort.
 *
 * - `core`: the lines of a list with further lists below.
 * - `brief`: the lines of a list.
 * - `line`: all amounts and moments and the card, too.
 * - `whole`: every column.
 */
export const TRANSACTION_COLUMNS = {
  core: columnSet<Transaction>('core', CORE, OF_TRANSACTION),
  brief: columnSet<Transaction>('brief', BRIEF, OF_TRANSACTION),
  line: columnSet<Transaction>('line', LINE, OF_TRANSACTION),
  whole: columnSet<Transaction>('whole', OF_TRANSACTION, OF_TRANSACTION),
} as const satisfies Readonly<Record<string, ColumnSet<Transaction>>>;

/** The name of a column set of a transaction. */
export type TransactionColumns = keyof typeof TRANSACTION_COLUMNS;

/**
 * All columns but four. Only reports read `report_values` and `position`. Only repeats of a request read `answer`. Only a hold after
 * a restore reads `accepted_again_at`.
 */
const OF_OPERATION = Object.values(Prisma.OperationScalarFieldEnum).filter(
  (column) =>
    column !== 'reportValues' && column !== 'answer' && column !== 'position' && column !== 'acceptedAgainAt',
);

const CORE_OPERATION = ['id', 'kind', 'status', 'amount', 'currency', 'createdAt'] as const;

const BRIEF_OPERATION = [
  ...CORE_OPERATION,
  ...([
    'transactionId',
    'final',
    'externalIdentifier',
    'reason',
    'redemptionId',
    'origin',
    'providerReference',
  ] as const),
  ...(['errorCode', 'settledAt', 'updatedAt'] as const),
];

/**
 * The column sets of an operation, from the smallest. Each contains the one before it.
 *
 * - `core`: the amounts of captures and refunds below a list.
 * - `brief`: the lines of captures and refunds.
 * - `whole`: every column.
 */
export const OPERATION_COLUMNS = {
  core: columnSet<Operation>('core', CORE_OPERATION, OF_OPERATION),
  brief: columnSet<Operation>('brief', BRIEF_OPERATION, OF_OPERATION),
  whole: columnSet<Operation>('whole', OF_OPERATION, OF_OPERATION),
} as const satisfies Readonly<Record<string, ColumnSet<Operation>>>;

/** The name of a column set of an operation. */
export type OperationColumns = keyof typeof OPERATION_COLUMNS;

/** The column sets of an entry of a payment's history. A line has no JSON. */
export const HISTORY_COLUMNS = lineAndWhole<HistoryEntry>({
  id: 'line',
  transactionId: 'line',
  name: 'line',
  createdAt: 'line',
  context: 'whole',
  actor: 'whole',
});
