import type { WebhookReceiver } from '../../payment-services/index.ts';

/** A payment that a webhook only names. The provider is to be asked about the payment. */
export type LookUp = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  /** The provider's id of the payment, or of a capture of the payment. Anybody may have written it. */
  readonly reference: string;
};

/** Returns the payments that a webhook of a payment service names. */
export const lookUpsOf = (
  { merchantAccountId, paymentServiceId }: WebhookReceiver,
  references: readonly string[],
): readonly LookUp[] => references.map((reference) => ({ merchantAccountId, paymentServiceId, reference }));
