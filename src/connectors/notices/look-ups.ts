/**
 * A webhook that names a payment, and does not say what has changed. Nothing but the id is taken from such a webhook, because anybody
 * may have sent it. The core asks the provider about the payment.
 */
export type LookUpNotice = {
  readonly kind: 'look_up';
  /** The provider's id of the payment, or of a capture of the payment. */
  readonly reference: string;
};

/** True for a notice that only names a payment. */
export const isLookUpNotice = <Other extends object>(notice: Other | LookUpNotice): notice is LookUpNotice =>
  'kind' in notice;
