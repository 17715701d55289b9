import type { Awaited } from '../awaiting/awaited.ts';
import type { AskedService, Operation, OperationStatus } from '../model/operation.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';
import type { RedemptionStatus } from '../model/redemption.ts';
import type { Transaction } from '../model/transaction.ts';

/** An operation and all that decides what its outcome changes. */
export type State = {
  readonly transaction: Transaction;
  readonly operation: Operation;
  readonly service: AskedService;
};

/** The facts that a rule is given: the moment, the ids of new rows, and the sending that was answered. */
export type Given = {
  readonly now: Date;
  /** The `sentAt` that the operation had when the provider was asked. A refusal of an earlier sending changes nothing. */
  readonly sentAt: Date;
  readonly ledgerIds: readonly [string, string];
  readonly eventIds: readonly [string, string];
  readonly historyId: string;
};

/** An outcome that is written down. */
export type ToldOutcome = (FinalOutcome | AcceptedOutcome)['kind'];

/** The columns of a transaction that an outcome may change. */
export const TRANSACTION_COLUMNS = [
  'status',
  'intentOutcome',
  'authorizedAmount',
  'capturePendingAmount',
  'capturedAmount',
  'refundPendingAmount',
  'refundedAmount',
  'voidPending',
  'captureClosed',
  'capturesAccepted',
  'schemeTransactionId',
  'approvalUrl',
  'paymentReference',
  'fraudReview',
  'paymentServiceTransactionId',
  'errorCode',
  'rawResponseCode',
  'rawResponseDescription',
  'authResponseCode',
  'avsResponseCode',
  'cvvResponseCode',
  'authorizedAt',
  'capturedAt',
  'voidedAt',
  'canceledAt',
  'updatedAt',
] as const satisfies readonly (keyof Transaction)[];

/** The columns of an operation that its outcome changes. Its lease, its card and its doubt always end. */
export const OPERATION_COLUMNS = [
  'status',
  'providerReference',
  'errorCode',
  'rawResponseCode',
  'rawResponseDescription',
  'acceptedAt',
  'settledAt',
  'nextAttemptAt',
  'updatedAt',
] as const satisfies readonly (keyof Operation)[];

export type TransactionPatch = Partial<Pick<Transaction, (typeof TRANSACTION_COLUMNS)[number]>>;

export type LedgerChange = {
  readonly id: string;
  readonly kind: 'authorize' | 'capture' | 'refund' | 'gift_card_refund' | 'void' | 'redeem' | 'unredeem';
  /** Minor units of the operation's currency. */
  readonly amount: number;
};

/** An event to publish. Its target is the short form of a record, its fields in the order in which they are published. */
export type EventChange = {
  readonly id: string;
  readonly name: string;
  readonly target: { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>;
};

export type HistoryChange = {
  readonly id: string;
  readonly name: string;
  /** Fields that are null are left out. */
  readonly context: Readonly<Record<string, unknown>>;
};

/** Changes of other rows. Many payments share some of them, so each is a relative statement of its own. */
export type Effects = {
  /** The payment ended without success: what gift cards paid is given back. */
  readonly givesUpRedemptions: boolean;
  /** Reviews that were told before they could be applied are matched again. */
  readonly rematchesReviews: boolean;
  /** Null: the redemption keeps its status, or the operation is of none. */
  readonly redemptionStatus: RedemptionStatus | null;
};

/** Everything that the outcome of an operation writes, as plain data. */
export type Changes = {
  readonly outcome: ToldOutcome;
  readonly now: Date;
  readonly transaction: TransactionPatch;
  readonly operation: Pick<Operation, (typeof OPERATION_COLUMNS)[number]> & {
    readonly status: OperationStatus;
  };
  /** The changes apply only while the operation is pending and this is its last sending. Null: whatever its last sending is. */
  readonly ofSending: Date | null;
  readonly ledger: readonly LedgerChange[];
  readonly events: readonly EventChange[];
  readonly history: HistoryChange;
  /** The mutations that may have made the operation. Its idempotency key gets the written rows as its result. */
  readonly answersKeyOf: readonly string[];
  /** The buyer's approval that is awaited from now on. */
  readonly approval: (Awaited & { readonly expiresAt: Date }) | null;
  readonly effects: Effects;
};
