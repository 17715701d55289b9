/** A past payment, reduced to the values that a simulation compares. */
export type ComparedPayment = {
  readonly id: string;
  /** The amount at the payment service, in minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  readonly scheme: string | null;
  readonly country: string | null;
  /** In the order of the requests. */
  readonly attempts: readonly ComparedAttempt[];
  /** The fee that settlements say, as a part of the captured amount. Null if they do not say a fee. */
  readonly feeRate: number | null;
};

export type ComparedAttempt = {
  readonly paymentServiceId: string;
  readonly end: AttemptEnd;
};

/**
 * The end of an attempt:
 *
 * - `authorized`: the service authorised the payment.
 * - `refused`: the payment ended.
 * - `went_on`: the payment was refused in a way after which another service may be asked.
 * - `open`: the service did not decide. It was not asked, the outcome is not known yet, or the merchant cancelled.
 */
export type AttemptEnd = 'authorized' | 'refused' | 'went_on' | 'open';

/** The way that a version gives a past payment. */
export type ComparedRoute = {
  readonly rule: { readonly position: number; readonly name: string } | null;
  /** The position of the share of a split. Null without a split. */
  readonly share: number | null;
  /** The code of a refusal. Null without a refusal. */
  readonly refusalCode: string | null;
  /** The services in the order in which the payment would ask them. */
  readonly paymentServiceIds: readonly string[];
};

/** True if a service authorised the payment. */
export const wasAuthorized = ({ attempts }: Pick<ComparedPayment, 'attempts'>): boolean =>
  attempts.some(({ end }) => end === 'authorized');
