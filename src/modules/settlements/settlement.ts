import type { SettlementEntry } from '../../connectors/notices/settlements.ts';

export {
  SETTLEMENT_KINDS,
  type SettlementEntry,
  type SettlementKind,
} from '../../connectors/notices/settlements.ts';

/**
 * The reason why an entry does not fit the books.
 *
 * - `no_such_operation`: the entry names no operation of the payment service.
 * - `no_such_dispute`: the entry names no dispute of the payment service.
 * - `operation_not_succeeded`: nothing of the kind is booked for the named payment, or no chargeback is there to come back.
 * - `other_amount`, `other_currency`: the booking is of other money.
 * - `already_settled`: another entry settles the booking.
 * - `adjustment`: the provider corrected the balance.
 * - `unknown_kind`: the provider's word for the kind is not known here.
 * - `unreadable`: the entry cannot be read.
 */
export const SETTLEMENT_DIFFERENCES = [
  ...(['no_such_operation', 'no_such_dispute', 'operation_not_succeeded'] as const),
  ...(['other_amount', 'other_currency', 'already_settled', 'adjustment'] as const),
  ...(['unknown_kind', 'unreadable'] as const),
] as const;
export type SettlementDifference = (typeof SETTLEMENT_DIFFERENCES)[number];

/** The place of an entry in the books, as far as it is found. */
export type Match = {
  readonly transactionId: string | null;
  readonly operationId: string | null;
  readonly disputeId: string | null;
  /** The booking that the entry settles. Null unless the entry fits. */
  readonly ledgerEntryId: string | null;
  /** Null when the entry fits, and when an entry of its kind needs no operation. */
  readonly difference: SettlementDifference | null;
};

/** A stored entry on a merchant's balance at a provider. */
export type Settlement = SettlementEntry &
  Match & {
    readonly merchantAccountId: string;
    readonly id: string;
    readonly paymentServiceId: string;
    readonly providerKind: string | null;
    readonly line: number | null;
    readonly captureReference: string | null;
    readonly isPart: boolean;
    readonly capturedTotal: number | null;
    /** The words of the person who explained the difference. */
    readonly explanation: string | null;
    readonly explainedAt: Date | null;
    /** The moment at which a difference is matched again. Null for an entry that is not matched again. */
    readonly rematchAt: Date | null;
    /** The moment at which the payment is told about the entry. Null when there is nothing to tell. */
    readonly tellAt: Date | null;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

/** A sum of entries in one currency, in minor units. */
export type SettlementTotal = {
  readonly currency: string;
  readonly gross: number;
  readonly fee: number;
  readonly net: number;
};

/** A payment service whose settlements are fetched. */
export type SettlementService = { readonly merchantAccountId: string; readonly paymentServiceId: string };
