/**
 * created: not asked for yet; pending: asked for, its outcome not known; skipped: not asked for, because there was nothing to
 * take or the payment ended before; reversing, reversed: given back as if it had not been, because the payment did not succeed.
 */
export type RedemptionStatus =
  | 'created'
  | 'pending'
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'reversing'
  | 'reversed';

/** What one gift card pays of a payment. Amounts are minor units of `currency`. */
export type Redemption = {
  readonly merchantAccountId: string;
  /** Also the id of the operation that takes the money: the provider's key. */
  readonly id: string;
  readonly transactionId: string;
  /** The order in which the gift cards of a payment are redeemed, from 0. */
  readonly ordinal: number;
  /** Id of the operation that takes it back. */
  readonly reversalId: string;
  /** Who holds the gift card's money. */
  readonly paymentServiceId: string;
  /** Null: it is not stored. */
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
  /** Number and PIN, until the outcome is known. */
  readonly sealedCard: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What gift cards have paid of a payment and not been given back by a reversal, in minor units; refunds are not taken off. */
export const redeemedAmount = (redemptions: readonly Redemption[]): number =>
  redemptions
    .filter(({ status }) => status === 'succeeded' || status === 'reversing')
    .reduce((sum, { amount }) => sum + amount, 0);

/** What can still be refunded to the gift card, in minor units. */
export const refundableTo = ({ status, amount, refundedAmount, refundPendingAmount }: Redemption): number =>
  status === 'succeeded' ? amount - refundedAmount - refundPendingAmount : 0;
