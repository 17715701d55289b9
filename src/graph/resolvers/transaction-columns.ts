import type { GraphQLResolveInfo } from 'graphql';
import type { OperationColumns, TransactionColumns } from '../../modules/transactions/index.ts';
import type { Loaders } from '../loaders.ts';
import { decidedBySelection } from '../execution/selected-fields.ts';

/** The fields of a transaction that the columns of `brief` answer. Lists below a transaction need its id alone. */
const BRIEF: ReadonlySet<string> = new Set([
  ...['__typename', 'id', 'reconciliationId', 'status', 'amount', 'currency', 'country', 'capturedAmount'],
  ...['refundedAmount', 'externalIdentifier', 'method', 'paymentService', 'createdAt', 'updatedAt'],
  ...['captures', 'refunds', 'operations', 'attempts', 'events', 'giftCardRedemptions'],
]);

/** The further fields that the columns of `line` answer. */
const LINE: ReadonlySet<string> = new Set([
  ...[
    'merchantAccountId',
    'merchantAccount',
    'intent',
    'intentOutcome',
    'authorizedAmount',
    'increasePendingAmount',
  ],
  ...['reauthorizationPending', 'captureReversedAmount', 'refundReversedAmount', 'disputeLostAmount'],
  ...['capturable', 'refundable', 'giftCardAmount', 'giftCardRedeemedAmount', 'paymentSource'],
  ...[
    'merchantInitiated',
    'isSubsequentPayment',
    'instrumentType',
    'card',
    'paymentMethod',
    'buyerId',
    'buyerRecord',
  ],
  ...['paymentLinkId', 'paymentServiceTransactionId', 'errorCode', 'pendingReview', 'reviewOutcome'],
  ...['authorizedAt', 'capturedAt'],
]);

/** Returns the smallest column set that answers these fields. A field that is named nowhere here needs the whole row. */
export function columnsFor(fields: ReadonlySet<string>): TransactionColumns {
  const others = [...fields].filter((field) => !BRIEF.has(field));
  if (others.length === 0) return 'brief';
  return others.every((field) => LINE.has(field)) ? 'line' : 'whole';
}

/** The paths to the rows of a list. */
const ROWS = [['nodes'], ['edges', 'node']] as const;

/** Returns the columns that a list of transactions reads. */
export const columnsOfList = decidedBySelection(ROWS, columnsFor);

const columnsOfOne = decidedBySelection([[]], columnsFor);

const LOADERS = {
  brief: 'briefTransaction',
  line: 'lineTransaction',
  whole: 'transaction',
} as const satisfies Record<TransactionColumns, keyof Loaders>;

/** Returns the loader of transactions with the columns of the selection. */
export const transactionsFor = (info: GraphQLResolveInfo, loaders: Loaders): Loaders['transaction'] =>
  loaders[LOADERS[columnsOfOne(info)]];

/** The fields of a capture or a refund that the columns of `brief` answer. */
const BRIEF_OPERATION: ReadonlySet<string> = new Set([
  ...['__typename', 'id', 'transactionId', 'transaction', 'status', 'amount', 'currency', 'final'],
  ...[
    'externalIdentifier',
    'reason',
    'redemptionId',
    'paymentServiceCaptureId',
    'paymentServiceRefundId',
    'errorCode',
  ],
  ...['capturedAt', 'createdAt', 'updatedAt'],
]);

const columnsForOperations = (fields: ReadonlySet<string>): OperationColumns =>
  [...fields].every((field) => BRIEF_OPERATION.has(field)) ? 'brief' : 'whole';

/** Returns the columns that captures or refunds are read with. */
export const columnsOfFollowUps = decidedBySelection([[]], columnsForOperations);

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
