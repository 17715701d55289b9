import type { Money } from '../../kernel/money.ts';

/** How far a dispute has gone. A provider moves it to the next stage, and never back. */
export const DISPUTE_STAGES = ['inquiry', 'chargeback', 'pre_arbitration'] as const;
export type DisputeStage = (typeof DISPUTE_STAGES)[number];

/**
 * The state of a dispute in its stage. The first three are open.
 *
 * - `expired`: the time to respond passed without a response. The provider decides.
 * - `accepted`: the merchant gave the money up.
 * - `closed`: ended without a decision about money, as an inquiry ends.
 */
export const DISPUTE_STATUSES = [
  ...(['needs_response', 'under_review', 'expired'] as const),
  ...(['won', 'lost', 'accepted', 'closed'] as const),
] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The buyer's reason, in the same words for every provider. `general` stands for any other reason. */
export const DISPUTE_REASONS = [
  ...(['fraudulent', 'unrecognized', 'duplicate', 'incorrect_amount', 'product_not_received'] as const),
  ...(['product_unacceptable', 'subscription_canceled', 'credit_not_processed'] as const),
  ...(['processing_error', 'general'] as const),
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** A dispute as a provider reports it. */
export type DisputeReport = {
  /** The provider's id of the dispute. The same in every stage. */
  readonly disputeReference: string;
  readonly stage: DisputeStage;
  readonly status: DisputeStatus;
  readonly reason: DisputeReason;
  /** The provider's or the scheme's own code of the reason. */
  readonly reasonCode: string | null;
  /** The disputed amount, at least 1. A provider may name another currency than that of the payment. */
  readonly money: Money;
  /** The end of the time to respond. Null when no response is asked for. */
  readonly respondBy: Date | null;
};

/**
 * One event of a provider about a dispute. At least one of `key`, `reference` and `paymentReference` is set, and finds the
 * disputed payment.
 */
export type DisputeNotice = {
  /** The provider's id of its event, or a digest of the content. A repeated event has the same value. */
  readonly eventKey: string;
  /** Time by the provider's clock. Null if the event names no time. */
  readonly occurredAt: Date | null;
  /** Our key of the disputed authorisation or capture, as the provider echoes the key. */
  readonly key: string | null;
  /** The provider's id of that authorisation or capture. */
  readonly reference: string | null;
  /** The provider's id of the payment. */
  readonly paymentReference: string | null;
  readonly dispute: DisputeReport;
};

/** True for a notice about a dispute. Other notices are about an operation. */
export const isDisputeNotice = <Other extends object>(
  notice: Other | DisputeNotice,
): notice is DisputeNotice => 'dispute' in notice;
