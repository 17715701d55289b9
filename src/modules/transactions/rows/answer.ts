import type { Operation, OperationKind } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';

/**
 * The fields of a transaction that may change after the outcome of an operation. The answer of an idempotency key has their values of
 * that time. The other fields never change then, so the answer reads them from the row.
 *
 * The places are stored. A new field comes last, and no place is used again.
 */
export const ANSWER_FIELDS = [
  'status',
  'intentOutcome',
  'authorizedAmount',
  'increasedAmount',
  'increasePendingAmount',
  'reauthorizePending',
  'capturePendingAmount',
  'capturedAmount',
  'captureReversedAmount',
  'captureClosed',
  'capturesAccepted',
  'overCaptureAllowance',
  'refundPendingAmount',
  'refundedAmount',
  'refundReversedAmount',
  'refundExcessAmount',
  'disputeLostAmount',
  'openDisputes',
  'voidPending',
  'fraudReview',
  'externalIdentifier',
  'metadata',
  'schemeTransactionId',
  'approvalUrl',
  'paymentReference',
  'bank',
  'paymentServiceId',
  'paymentServiceTransactionId',
  'errorCode',
  'rawResponseCode',
  'rawResponseDescription',
  'authResponseCode',
  'avsResponseCode',
  'cvvResponseCode',
  'cardScheme',
  'cardBin',
  'cardLastFour',
  'cardExpirationDate',
  'cardCountry',
  'authorizedAt',
  'reauthorizedAt',
  'capturedAt',
  'voidedAt',
  'canceledAt',
  'expiredAt',
  'updatedAt',
  'threeDSecure',
  'antiFraudDecision',
  'approvalExpiresAt',
  'splits',
] as const satisfies readonly (keyof Transaction)[];

/** The kinds whose id at the provider may become known after their outcome. */
const LEARNS: ReadonlySet<OperationKind> = new Set(['increase', 'reauthorize', 'capture', 'refund', 'void']);

type Answered = { readonly operation: Operation; readonly transaction: Transaction };

/** Returns what may change later of an operation and its transaction, as JSON text of some hundred characters. */
export const answerOf = ({ operation, transaction }: Answered): string =>
  JSON.stringify([operation.providerReference, ...ANSWER_FIELDS.map((field) => transaction[field])]);

/**
 * Returns an ended operation and its transaction as they were right after the outcome. The text is that of `answerOf`. A field that
 * the text lacks is from a later version, and keeps its present value.
 */
export function asAnswered({ operation, transaction }: Answered, answer: string): Answered {
  const [providerReference, ...values] = JSON.parse(answer) as readonly unknown[];
  const then = values.map((value, place) => {
    const field = ANSWER_FIELDS[place] ?? '';
    return [field, field.endsWith('At') && typeof value === 'string' ? new Date(value) : value];
  });
  return {
    transaction: { ...transaction, ...(Object.fromEntries(then) as Partial<Transaction>) },
    operation: {
      ...operation,
      ...{ reversedAmount: 0, reversals: null, updatedAt: operation.settledAt ?? operation.updatedAt },
      providerReference: LEARNS.has(operation.kind)
        ? (providerReference as string | null)
        : operation.providerReference,
    },
  };
}
