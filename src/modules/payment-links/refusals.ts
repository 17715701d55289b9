import type { PaymentLinkStatus } from './payment-link.ts';

/** The link cannot be expired or paid, because it is not active. */
export type PaymentLinkNotActive = {
  readonly kind: 'PaymentLinkNotActive';
  readonly status: PaymentLinkStatus;
};

/** The attempt to pay was given up before it made a transaction, because it took too long; nothing was paid by it. */
export type AttemptGivenUp = { readonly kind: 'AttemptGivenUp' };

export const notActive = (status: PaymentLinkStatus): PaymentLinkNotActive => ({
  kind: 'PaymentLinkNotActive',
  status,
});
