export { auditCounts, startAudit, type AuditCounts } from './audit.ts';
export { createWebhookEndpoint, type CreatedWebhookEndpoint } from './create-endpoint.ts';
export { feedKey } from './cursor.ts';
export { deleteWebhookEndpoint } from './delete-endpoint.ts';
export type { DeliveryState, WebhookAttempt, WebhookDelivery } from './delivery.ts';
export { startDispatcher } from './dispatcher.ts';
export { transactionIdOf, type CursorAhead, type CursorExpired, type FeedEvent } from './feed-event.ts';
export { createFeedTail } from './feed-tail.ts';
export type { CreateWebhookEndpointInput, UpdateWebhookEndpointInput } from './input.ts';
export {
  deliveriesKey,
  deliveriesRequest,
  deliveryKey,
  findAttempts,
  findDeliveries,
  findDeliveriesOfEvents,
  type DeliveriesRequest,
} from './list-deliveries.ts';
export { findWebhookEndpoints, listWebhookEndpoints } from './list-endpoints.ts';
export { readFeed, type FeedArguments, type FeedPageArguments } from './read-feed.ts';
export { createRelayHint, oldestWaitingEvent, relayOnce, startRelay } from './relay.ts';
export { replayDelivery, replayEvent, type ReplayRefusal } from './replay-delivery.ts';
export { replayEvents, type ReplayEventsInput } from './replay-events.ts';
export { progressOf, totalOf, type ReplayJob } from './replay-job.ts';
export { cancelReplayJob, findReplayJobs, listReplayJobs } from './replay-jobs.ts';
export { replayOnce, startReplayer } from './replayer.ts';
export { rotateWebhookSecret, type RotateWebhookSecret } from './rotate-secret.ts';
export { sendTestEvent, type SendTestEvent, type TestAttempt } from './send-test-event.ts';
export { FEED_CHANNEL, PENDING_CHANNEL } from './store/relay.ts';
export { startRetention } from './retention.ts';
export { subscribeEvents } from './subscribe.ts';
export { updateWebhookEndpoint } from './update-endpoint.ts';
export type { WebhookEndpoint, WebhookEndpointState } from './webhook-endpoint.ts';
