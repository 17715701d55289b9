import type { ReviewNotice } from '../../../connectors/anti-fraud/connector.ts';

/** A third party's decision on a review: verified, parsed and stored. The notice waits for the review to open, or expires. */
export type InboundReview = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly antiFraudServiceId: string;
  readonly notice: ReviewNotice;
  readonly receivedAt: Date;
  /** The end of the current lease. */
  readonly leaseUntil: Date;
};
