import type { DeclineCode } from '../../../connectors/codes/decline-codes.ts';
import type { Money } from '../../../kernel/money.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import type { EventChange, HistoryChange } from '../settle/changes.ts';

type Words = { readonly rawResponseCode: string | null; readonly rawResponseDescription: string | null };

/** A success that a provider takes back: a capture or refund, wholly or in part, or an authorisation. */
export type TakenBack =
  | ({
      readonly kind: 'reversed';
      /** Tells the reversals of one operation apart. */
      readonly key: string;
      /** Null for everything that is not reversed yet. */
      readonly money: Money | null;
      readonly errorCode: DeclineCode;
    } & Words)
  | ({
      readonly kind: 'expired';
      /** The moment by the provider's clock. Null if nothing tells that a renewed authorisation has expired. */
      readonly at: Date | null;
      /** The renewal, by its moment, after which the provider was asked and no longer held the money. */
      readonly ofRenewal?: Date | null;
    } & Words);

/** The facts for the rules: the time, and the ids of new rows. */
export type TakeBackGiven = {
  readonly now: Date;
  readonly ledgerId: string;
  readonly eventIds: readonly [string, string];
  readonly historyId: string;
  /** The smallest amount of the provider, in minor units. The shares of a reversal are multiples. */
  readonly unit: number;
};

/** The reason why a reported reversal or expiry needs a person. */
export type TakeBackFinding =
  /** The reversal names another currency, or another amount than before. */
  | 'other_money'
  /** The reversal is of more than is left of the operation. */
  | 'exceeds_operation'
  /** An equal reversal is booked, and no id of the provider tells the two apart. Or a lost dispute may have taken the money. */
  | 'possible_repeat'
  /** The money is of a gift card, or the status allows no such change. */
  | 'unexpected_state'
  /** The reversal is booked, and more is refunded now than captured. */
  | 'refunded_exceeds_captured'
  /** The authorisation was renewed after the reported expiry, so the money is still held. */
  | 'before_renewal';

export type Verdict =
  | {
      readonly kind: 'changes';
      readonly changes: TakeBackChanges;
      readonly finding: TakeBackFinding | null;
    }
  | { readonly kind: 'none'; readonly finding: TakeBackFinding | null }
  | { readonly kind: 'waits' }
  | { readonly kind: 'asks' };

/** The columns of a transaction that a reversal or an expiry may change. */
export const TAKEN_BACK_COLUMNS = [
  'status',
  'intentOutcome',
  'capturedAmount',
  'captureReversedAmount',
  'refundedAmount',
  'refundReversedAmount',
  'splits',
  'captureClosed',
  'fraudReview',
  'errorCode',
  'expiredAt',
  'updatedAt',
] as const satisfies readonly (keyof Transaction)[];

/** The columns of the operation that a reversal changes. The outcome stays. */
export const REVERSED_COLUMNS = [
  'reversedAmount',
  'reversals',
  'updatedAt',
] as const satisfies readonly (keyof Operation)[];

export type TakeBackPatch = Partial<Pick<Transaction, (typeof TAKEN_BACK_COLUMNS)[number]>>;

/** Everything that a reversal or an expiry writes, as plain data. */
export type TakeBackChanges = {
  readonly kind: TakenBack['kind'];
  readonly now: Date;
  readonly transaction: TakeBackPatch;
  readonly operation: Pick<Operation, (typeof REVERSED_COLUMNS)[number]>;
  /** At most one entry. Its amount is in minor units of the operation's currency. */
  readonly ledger: readonly {
    readonly id: string;
    readonly kind: 'capture_reversal' | 'refund_reversal' | 'expire';
    readonly amount: number;
    readonly reversalKey: string;
  }[];
  readonly events: readonly EventChange[];
  readonly history: HistoryChange;
  /** `givesUpRedemptions`: the payment ended without success, so that its gift-card redemptions are reversed. */
  readonly effects: { readonly givesUpRedemptions: boolean };
};
