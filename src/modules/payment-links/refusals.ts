import type { PaymentLinkStatus } from './payment-link.ts';

/** The link cannot be expired or paid, because it is not active. */
export type PaymentLinkNotActive = {
  readonly kind: 'PaymentLinkNotActive';
  readonly status: PaymentLinkStatus;
};

/**
 * The refusal of an attempt that was given up before it created a transaction, because it took too long. The attempt
 * paid nothing.
 */
export type AttemptGivenUp = { readonly kind: 'AttemptGivenUp' };

export const notActive = (status: PaymentLinkStatus): PaymentLinkNotActive => ({
  kind: 'PaymentLinkNotActive',
  status,
});
