import type { DisputeReport } from '../notices/disputes.ts';
import type { UnknownCause } from '../interface/outcome.ts';
import type { ThreeDSecureData } from '../interface/three-d-secure.ts';
import type { CheckedCard, CheckRequest } from './check-request.ts';

/**
 * The event of a checked payment.
 *
 * - `released`: the authorisation was voided or has expired.
 * - `accepted`, `rejected`: a person or the third party itself has ended the review.
 */
export type Happening =
  | 'authorized'
  | 'declined'
  | 'failed'
  | 'captured'
  | 'released'
  | 'refunded'
  | 'accepted'
  | 'rejected'
  | 'disputed';

/**
 * A report to a third party about an event of a payment that the third party has checked.
 *
 * - The amounts and the provider's answer are those at the time of the report, perhaps after further events.
 * - Reports of a payment come in the order of its events. Reports of several payments come at once.
 * - A report may come again under its key.
 */
export type ReportRequest = {
  /** Our id of the event. */
  readonly key: string;
  /** The key of the check. */
  readonly checkKey: string;
  /** The third party's own id of the check. Null if the check had no answer with an id. */
  readonly reference: string | null;
  readonly happening: Happening;
  readonly occurredAt: Date;
  readonly amounts: ReportedAmounts;
  readonly authorization: ReportedAnswer;
  readonly authentication: ThreeDSecureData | null;
  /** As in the check. The provider's answer may have named the card of a wallet since. */
  readonly wallet: CheckRequest['wallet'];
  readonly card: CheckedCard | null;
  /** Null for an event of another kind than `disputed`. */
  readonly dispute: ReportedDispute | null;
};

/** Minor units. The amounts after `giftCard` count the payment method alone. */
export type ReportedAmounts = {
  readonly currency: string;
  /** The whole payment. */
  readonly amount: number;
  /** The part of `amount` that gift cards pay. */
  readonly giftCard: number;
  readonly authorized: number;
  readonly captured: number;
  readonly refunded: number;
};

/** The payment provider's answer to the authorisation, in its own codes and in the API's words. */
export type ReportedAnswer = {
  /** The provider's id of the payment. */
  readonly reference: string | null;
  readonly errorCode: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  /** The issuer's approval code. */
  readonly authResponseCode: string | null;
  readonly avsResponseCode: string | null;
  readonly cvvResponseCode: string | null;
};

export type ReportedDispute = Omit<DisputeReport, 'disputeReference'> & {
  /** Our id of the dispute. */
  readonly id: string;
  /** The payment provider's id of the dispute. */
  readonly reference: string;
  readonly openedAt: Date;
};

/**
 * The third party's answer to a report.
 *
 * - `done`: the third party has the report, or does not want reports of this kind.
 * - `refused`: the explicit refusal of this one report. It is not sent again.
 * - `unknown`: anything else. The report is sent again, and later reports wait. After many failures, the report is given up
 *   if the third party takes that of another payment.
 */
export type ReportAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause };
