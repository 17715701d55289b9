import type { ReviewNotice } from '../../../connectors/anti-fraud/connector.ts';

/** What a third party told of a review by a webhook, verified, read and stored; it waits until the review is open, or is too old. */
export type InboundReview = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly antiFraudServiceId: string;
  readonly notice: ReviewNotice;
  readonly receivedAt: Date;
  /** Until when whoever has taken it up has it. */
  readonly leaseUntil: Date;
};
