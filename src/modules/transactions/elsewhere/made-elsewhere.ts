import type { Money } from '../../../kernel/money.ts';
import type { EventChange, HistoryChange, LedgerChange, TransactionPatch } from '../settle/changes.ts';
import type { Operation, OperationKind } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';

/**
 * The kinds of operations that can be made at the provider without a request from here. An authorisation is a late approval
 * after the refusal of a request.
 */
export type ElsewhereKind = Extract<OperationKind, 'authorize' | 'capture' | 'refund' | 'void' | 'increase'>;

/** A success at the provider that nobody requested here, as a notice, a look-up or a settlement tells it. */
export type MadeElsewhere = {
  readonly kind: ElsewhereKind;
  /** The provider's id of the operation. Null only for a void: a payment is voided once. */
  readonly reference: string | null;
  /** The moved money, at least 1. Null for a void, and for an increase with a `total`. */
  readonly money: Money | null;
  /**
   * The authorised amount after an increase, or everything captured so far. Null if only the amount of the operation itself is
   * known.
   */
  readonly total: Money | null;
  /** The amount of the payment, for a refund of the whole payment without an amount of its own. Absent if not told. */
  readonly whole?: Money;
  /** True if nothing more can be captured. Null if the provider does not tell. */
  readonly final: boolean | null;
  /** The provider's id of the capture that a refund is of. Null if not told. */
  readonly captureReference: string | null;
  /** Our key of the operation, which a restore of the database lost. Absent for an operation that nobody requested here. */
  readonly lostKey?: string;
  /** The moment by the provider's clock. Null if not told. */
  readonly occurredAt: Date | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
};

/**
 * The report that tells an operation, or shows a difference.
 * - `notice`: a webhook of the provider.
 * - `look_up`: the provider's answer about the whole payment.
 * - `settlement`: an entry of a settlement.
 */
export type ReportSource = 'notice' | 'look_up' | 'settlement';

/** The facts for the rules: the time, and the ids of new rows. */
export type ElsewhereGiven = {
  readonly now: Date;
  readonly operationId: string;
  readonly ledgerIds: readonly [string, string];
  readonly eventIds: readonly [string, string];
  readonly historyId: string;
  /** True while an operation of the kind with the same money has no known id at the provider. The two may be one. */
  readonly mayBeOurs: boolean;
  /** True once an outcome that could explain the operation had its time. The operation is then booked as it stands. */
  readonly isLate: boolean;
  /** The smallest amount of the provider, in minor units. The shares of the operation are multiples. */
  readonly unit: number;
};

/** The reason why an operation of the provider needs a person. */
export type ElsewhereFinding =
  /** The operation is in another currency than the payment. */
  | 'other_money'
  /** The provider does not tell the amount, or the amount does not fit to what is recorded. */
  | 'unknown_amount'
  /** The sum is above the greatest amount that can be recorded, so nothing is booked. */
  | 'too_large'
  /** The status of the payment allows no such operation, so nothing is booked. */
  | 'unexpected_state'
  /** The operation is booked, and more is captured now than authorised. */
  | 'captured_exceeds_authorized'
  /** The operation is booked, and more is refunded now than captured. */
  | 'refunded_exceeds_captured';

/** The columns of a transaction that such an operation may change, beside those of `TransactionPatch`. */
export type ElsewherePatch = TransactionPatch &
  Partial<Pick<Transaction, 'overCaptureAllowance' | 'refundExcessAmount' | 'paymentServiceId'>>;

/** Everything that an operation made elsewhere writes, as plain data. */
export type ElsewhereChanges = {
  readonly now: Date;
  readonly operation: NewOperation;
  readonly transaction: ElsewherePatch;
  readonly ledger: readonly LedgerChange[];
  readonly events: readonly EventChange[];
  readonly history: HistoryChange;
  readonly effects: { readonly givesUpRedemptions: boolean };
};

/** The values of the new operation. */
export type NewOperation = Pick<
  Operation,
  | 'id'
  | 'kind'
  | 'amount'
  | 'final'
  | 'providerKey'
  | 'providerReference'
  | 'rawResponseCode'
  | 'rawResponseDescription'
  | 'splits'
> & {
  readonly captureReference: string | null;
  /** False for a refund that the captures cannot carry. */
  readonly isCarried: boolean;
};

/**
 * The decision about an operation that was made elsewhere.
 *
 * - `changes`: the operation is booked.
 * - `waits`: an operation under way decides first.
 * - `none`: nothing is booked. The finding says why, and null says that the record agrees.
 */
export type ElsewhereVerdict =
  | {
      readonly kind: 'changes';
      readonly changes: ElsewhereChanges;
      readonly finding: ElsewhereFinding | null;
    }
  | { readonly kind: 'waits' }
  | { readonly kind: 'none'; readonly finding: ElsewhereFinding | null };
