import type { FeedEvent } from '../feed/feed-event.ts';

export const DELIVERY_STATES = ['pending', 'in_flight', 'delivered', 'expired', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event on its way to one endpoint. */
export type WebhookDelivery = {
  /** `<endpoint's id>:<event's id>`. */
  readonly id: string;
  readonly webhookEndpointId: string;
  /** The event's place in the log, as the database writes it. Never shown: it counts the events of all merchant accounts. */
  readonly position: string;
  readonly event: FeedEvent;
  readonly state: DeliveryState;
  readonly attemptCount: number;
  /** Null unless pending. */
  readonly nextAttemptAt: Date | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  /** When it was delivered, expired or cancelled; null before. */
  readonly settledAt: Date | null;
};

/** What happened when a delivery was posted once. Times in milliseconds, each part from the end of the one before. */
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
