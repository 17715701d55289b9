import type { FeedEvent } from '../feed/feed-event.ts';

export const DELIVERY_STATES = ['pending', 'in_flight', 'delivered', 'expired', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The delivery of one event to one endpoint. */
export type WebhookDelivery = {
  /** `<endpoint's id>:<event's id>`. */
  readonly id: string;
  readonly webhookEndpointId: string;
  /**
   * The event's position in the log, as the driver returns it. Never shown, because positions count the events of all
   * merchant accounts.
   */
  readonly position: string;
  readonly event: FeedEvent;
  readonly state: DeliveryState;
  readonly attemptCount: number;
  /** Null unless pending. */
  readonly nextAttemptAt: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  /** The moment of the delivery, expiry or cancellation. Null before. */
  readonly settledAt: Date | null;
};

/** The result of one attempt of a delivery. Times are in milliseconds, each from the end of the previous part. */
export type WebhookAttempt = {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly lookupMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly replyStart: string | null;
  readonly probe: boolean;
};
