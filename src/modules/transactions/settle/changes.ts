import type { NameOf, Target } from '../../event-log/index.ts';
import type { Awaited } from '../awaiting/awaited.ts';
import type { AskedService, Operation, OperationStatus } from '../model/operation.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';
import type { RedemptionStatus } from '../model/redemption.ts';
import type { Transaction } from '../model/transaction.ts';

/** An operation, with everything that decides the changes of its outcome. */
export type State = {
  readonly transaction: Transaction;
  readonly operation: Operation;
  readonly service: AskedService;
};

/** The facts for a rule: the time, the ids of new rows, and the answered sending. */
export type Given = {
  readonly now: Date;
  /** The operation's `sentAt` when the provider was called. A refusal of an earlier sending changes nothing. */
  readonly sentAt: Date;
  readonly ledgerIds: readonly [string, string];
  readonly eventIds: readonly [string, string];
  readonly historyId: string;
};

/** The kinds of outcomes that are written. */
export type RecordedOutcome = (FinalOutcome | AcceptedOutcome)['kind'];

/** The columns of a transaction that an outcome may change. */
export const SETTLED_TRANSACTION_COLUMNS = [
  'status',
  'intentOutcome',
  'authorizedAmount',
  'increasedAmount',
  'increasePendingAmount',
  'reauthorizePending',
  'capturePendingAmount',
  'capturedAmount',
  'refundPendingAmount',
  'refundedAmount',
  'voidPending',
  'captureClosed',
  'capturesAccepted',
  'schemeTransactionId',
  'approvalExpiresAt',
  'approvalUrl',
  'paymentReference',
  'bank',
  'splits',
  'fraudReview',
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
  'updatedAt',
] as const satisfies readonly (keyof Transaction)[];

/**
 * The columns of an operation that its outcome changes. An outcome also ends the lease, deletes the card, and ends the
 * unknown outcome.
 */
export const SETTLED_OPERATION_COLUMNS = [
  'status',
  'providerReference',
  'errorCode',
  'rawResponseCode',
  'rawResponseDescription',
  'authResponseCode',
  'networkResponseCode',
  'merchantAdviceCode',
  'sealedForm',
  'acceptedAt',
  'decisionUntil',
  'settledAt',
  'nextAttemptAt',
  'updatedAt',
] as const satisfies readonly (keyof Operation)[];

export type TransactionPatch = Partial<Pick<Transaction, (typeof SETTLED_TRANSACTION_COLUMNS)[number]>>;

export type LedgerChange = {
  readonly id: string;
  readonly kind:
    | 'authorize'
    | 'increase'
    | 'capture'
    | 'refund'
    | 'gift_card_refund'
    | 'void'
    | 'redeem'
    | 'unredeem';
  /** Minor units of the operation's currency. */
  readonly amount: number;
};

/** An event to publish. Its target is the short form of a record, with the fields in their published order. */
export type EventChange = { readonly id: string } & PublishedChange;

/** The name and the target of an event. */
export type PublishedChange = {
  [Kind in PublishedKind]: { readonly name: NameOf<Kind>; readonly target: EventTarget<Kind> };
}[PublishedKind];

/** The records that the events of an operation are about. */
export type PublishedKind = 'transaction' | 'capture' | 'refund';

/** The target of an event. Its moments become text with the event. */
export type EventTarget<Kind extends PublishedKind> = {
  readonly [Field in keyof Target<Kind>]: Field extends 'created_at' | 'updated_at'
    ? Date
    : Target<Kind>[Field];
};

export type HistoryChange = {
  readonly id: string;
  readonly name: string;
  /** The details. Null fields are left out. */
  readonly context: Readonly<Record<string, unknown>>;
};

/** Changes of other rows. Many payments share some of these rows, so each change is a relative statement of its own. */
export type Effects = {
  /** True when the payment ends without success, so that its gift-card redemptions are reversed. */
  readonly givesUpRedemptions: boolean;
  /** True when notices of reviews that wait for this change are matched again. */
  readonly rematchesReviews: boolean;
  /** The new status of the redemption. Null when the operation moves none. */
  readonly redemptionStatus: RedemptionStatus | null;
};

/** Everything that the outcome of an operation writes, as plain data. */
export type Changes = {
  readonly outcome: RecordedOutcome;
  readonly now: Date;
  readonly transaction: TransactionPatch;
  readonly operation: Pick<Operation, (typeof SETTLED_OPERATION_COLUMNS)[number]> & {
    readonly status: OperationStatus;
  };
  /**
   * The sending that the outcome answers. The changes apply only to the last sending. Null applies them to every
   * sending.
   */
  readonly ofSending: Date | null;
  /** The provider's id of the operation, if no other operation can have it. A report may have booked the operation by it. */
  readonly ownReference?: string | null;
  readonly ledger: readonly LedgerChange[];
  readonly events: readonly EventChange[];
  readonly history: HistoryChange;
  /** The buyer's approval, which the payment waits for from now on. */
  readonly approval: (Omit<Awaited, 'approvalUrl' | 'sealedForm'> & { readonly expiresAt: Date }) | null;
  readonly effects: Effects;
};
