import type { Money } from '../../kernel/money.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Unknown } from '../interface/outcome.ts';

/**
 * The kinds of entries on a merchant's balance at a provider.
 *
 * - `reversal`: a charge or a refund that was taken back. The sign of `gross` tells which.
 * - `chargeback`: disputed money that left. `chargeback_reversal`: the money came back.
 * - `payout_reversal`: a payout that failed, so the money is on the balance again.
 * - `adjustment`: a correction by the provider.
 * - `unknown`: the provider's word for the kind is not known here. The amounts are.
 * - `unreadable`: a line that cannot be read. The amounts are not known, so all are 0, in the currency `XXX`. No connector makes
 *   such an entry: `fetchSettlements` does.
 */
export const SETTLEMENT_KINDS = [
  ...(['charge', 'refund', 'reversal', 'chargeback', 'chargeback_reversal'] as const),
  ...(['fee', 'payout', 'payout_reversal', 'adjustment'] as const),
  ...(['unknown', 'unreadable'] as const),
] as const;
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number];

/**
 * One entry on the merchant's balance. `gross` - `fee` = `net`, in minor units of `currency`. A positive `net` is money for
 * the merchant, and a positive `fee` is a cost.
 */
export type SettlementEntry = {
  /** The provider's id of the entry. A repeated entry has the same id. */
  readonly reference: string;
  readonly kind: SettlementKind;
  /** The provider's own word for the kind. Absent if there is none. */
  readonly providerKind?: string | null;
  /** The number of the line in the provider's report, 1 for the first line below the header. Absent without such lines. */
  readonly line?: number | null;
  /** Our key of the operation, as the provider echoes it. */
  readonly key: string | null;
  /** The provider's ids of the operation, the payment, the dispute and the payout that the entry belongs to. */
  readonly operationReference: string | null;
  readonly paymentReference: string | null;
  readonly disputeReference: string | null;
  readonly payoutReference: string | null;
  /** The provider's id of the capture that a refund is of. Absent if not named. */
  readonly captureReference?: string | null;
  /** True for an instalment: the entry settles a part of its operation, and further entries the rest. Absent: false. */
  readonly isPart?: boolean;
  /**
   * Everything that the provider captured of the payment so far, in minor units of the currency before a conversion. For a
   * provider without ids of captures. Absent if not told.
   */
  readonly capturedTotal?: number | null;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  /** The amount before a conversion, without a sign. Null if the provider does not name it. */
  readonly original: Money | null;
  /** The rate from the original currency, as a decimal number. Null without a conversion. */
  readonly exchangeRate: string | null;
  /** The day of the entry by the provider's calendar, as `2026-01-31`. */
  readonly settledOn: string;
};

/** A page to fetch. */
export type SettlementRequest = {
  /** The cursor of the page before. Null for the first page. */
  readonly cursor: string | null;
  /** The moment from which to begin without a cursor. */
  readonly since: Date;
  readonly now: Date;
  /** Reads the books of Paygraph, for a simulator that keeps none. A real provider has no use for it. */
  readonly booked: ReadBooked;
};

/** An entry that cannot be read. Its page holds the others. */
export type UnreadableEntry = {
  /** As in `SettlementEntry`. The same entry has the same id each time, even if nobody can read more of the entry. */
  readonly reference: string;
  readonly line?: number | null;
  readonly payoutReference?: string | null;
  /** The provider's name of the field that cannot be read. The log has the name, and never the value. */
  readonly field: string;
};

/**
 * A page of entries.
 *
 * - `unreadable`: the entries that cannot be read. Absent if there are none.
 * - Pages may overlap. An entry of an earlier page changes nothing, except that it may name the payout at last.
 * - `cursor` continues after the page, also weeks later.
 * - `more`: a further page exists now, and has another cursor.
 */
export type SettlementPage = {
  readonly kind: 'page';
  readonly entries: readonly SettlementEntry[];
  readonly unreadable?: readonly UnreadableEntry[];
  readonly cursor: string;
  readonly more: boolean;
};

/** `refused`: the provider refuses the credentials or the cursor explicitly. `reason` holds the provider's words. */
export type SettlementAnswer =
  | SettlementPage
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown;

/** The settlements of a provider. Feature `settlement_reporting`. A fetch changes nothing at the provider. */
export type Settlements = {
  readonly fetch: (context: CallContext, request: SettlementRequest) => Promise<SettlementAnswer>;
};

/** Money that Paygraph booked for a payment service. The references are those of the provider. */
export type Booked = {
  readonly id: string;
  readonly kind:
    | 'capture'
    | 'refund'
    | 'capture_reversal'
    | 'refund_reversal'
    | 'dispute_loss'
    | 'dispute_loss_reversal';
  readonly key: string;
  readonly operationReference: string | null;
  readonly paymentReference: string | null;
  readonly disputeReference: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly bookedAt: Date;
};

/** Reads the bookings from an id on, the id included, oldest first. Null starts with the oldest. */
export type ReadBooked = (from: string | null, limit: number) => Promise<readonly Booked[]>;
