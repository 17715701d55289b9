/**
 * The states of a redemption.
 * - `created`: not requested yet.
 * - `pending`: requested, outcome unknown.
 * - `skipped`: never requested. There was nothing to take, or the payment ended before.
 * - `reversing`, `reversed`: reversed, because the payment did not succeed.
 */
export type RedemptionStatus =
  | 'created'
  | 'pending'
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'reversing'
  | 'reversed';

/** The part of a payment that one gift card pays. Amounts are minor units of `currency`. */
export type Redemption = {
  readonly merchantAccountId: string;
  /** Also the id of the redeeming operation, which is the provider's idempotency key. */
  readonly id: string;
  readonly transactionId: string;
  /** The order in which the gift cards of a payment are redeemed, from 0. */
  readonly ordinal: number;
  /** The id of the operation that reverses the redemption. */
  readonly reversalId: string;
  /** The gift-card service with the card's money. */
  readonly paymentServiceId: string;
  /** Null when the gift card is not stored. */
  readonly giftCardId: string | null;
  /** The first six digits of the number, and the three after them. */
  readonly bin: string;
  readonly subBin: string;
  readonly lastFour: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: RedemptionStatus;
  readonly refundPendingAmount: number;
  readonly refundedAmount: number;
  readonly providerReference: string | null;
  readonly errorCode: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  /** The sealed number and PIN. Kept until the outcome is known. */
  readonly sealedCard: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * Returns the sum that gift cards paid and kept, in minor units. Reversed redemptions do not count. Refunds are not
 * subtracted.
 */
export const redeemedAmount = (redemptions: readonly Redemption[]): number =>
  redemptions
    .filter(({ status }) => status === 'succeeded' || status === 'reversing')
    .reduce((sum, { amount }) => sum + amount, 0);

/** Returns the amount that can still be refunded to the gift card, in minor units. */
export const refundableTo = ({ status, amount, refundedAmount, refundPendingAmount }: Redemption): number =>
  status === 'succeeded' ? amount - refundedAmount - refundPendingAmount : 0;
