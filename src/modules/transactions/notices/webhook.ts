import type { Notice, WebhookNotice } from '../../../connectors/notices/webhook.ts';

/** A notice about an operation. `lostKey` is our key of an operation that a restore of the database lost. */
export type OperationNotice = Notice & { readonly lostKey?: string };

/** One notice of a provider's webhook, verified and stored. The notice waits until a match or until it is too old. */
export type InboundWebhook<Read extends WebhookNotice = OperationNotice> = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly paymentServiceId: string;
  /** The notice without a provider's token. */
  readonly notice: Read;
  /** The provider's token of a stored payment method. Null for a notice without a token. */
  readonly sealedToken: string | null;
  readonly receivedAt: Date;
  /** The moment from which the webhook waits for its match. Later than the receipt if the webhook was not read at first. */
  readonly waitsSince: Date;
};

/** A stored webhook about anything. */
export type StoredWebhook = InboundWebhook<WebhookNotice>;
