import type { UnreadReason } from '../../../connectors/notices/webhook.ts';

/** A signed webhook of a provider, or one item of it, that was not read, or not wholly. */
export type UnreadWebhook = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly paymentServiceId: string;
  /** The id of the connector. */
  readonly provider: string;
  readonly reason: UnreadReason;
  /** The number of times that the provider sent the same content, at least 1. */
  readonly times: number;
  /** The first time that the content came. */
  readonly receivedAt: Date;
  /** The latest time that a person had the content read again. Null if nobody did. */
  readonly appliedAt: Date | null;
};

/** An unread webhook with its content, sealed and without card numbers. */
export type StoredUnread = UnreadWebhook & {
  /** A keyed digest of the content. The same content has one row. */
  readonly digest: string;
  readonly sealedBody: string;
};

/** The time for which the content is kept. A matched webhook waits as long. */
export const KEPT_MS = 7 * 24 * 3_600_000;

/** The most rows of a payment service. The oldest goes first. A body has at most 256 KB. */
export const ROWS_MAX = 200;

/** Returns the moment at which the content is removed. */
export const expiresAtOf = ({ receivedAt }: Pick<UnreadWebhook, 'receivedAt'>): Date =>
  new Date(receivedAt.getTime() + KEPT_MS);
