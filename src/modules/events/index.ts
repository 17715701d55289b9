export { feedCheckCounts, startFeedCheck, type FeedCheckCounts } from './log/feed-check.ts';
export { createWebhookEndpoint, type CreatedWebhookEndpoint } from './endpoints/create-endpoint.ts';
export { cursorBefore, feedKey } from './feed/cursor.ts';
export { secretText, signatureHeader, signingKey } from './endpoints/sign.ts';
export type { StartRefusal } from './feed/start.ts';
export { deleteWebhookEndpoint } from './endpoints/delete-endpoint.ts';
export type { DeliveryState, WebhookAttempt, WebhookDelivery } from './delivery/delivery.ts';
export { attemptCounter } from './dispatch/attempt-counter.ts';
export { startDispatcher } from './dispatch/dispatcher.ts';
export { transactionIdOf, type CursorExpired, type FeedEvent } from './feed/feed-event.ts';
export { createFeedTail, openFeedPages } from './feed/feed-tail.ts';
export type { CreateWebhookEndpointInput, UpdateWebhookEndpointInput } from './endpoints/input.ts';
export {
  deliveriesKey,
  deliveriesRequest,
  deliveryKey,
  findAttempts,
  findDeliveries,
  findDeliveriesOfEvents,
  type DeliveriesRequest,
} from './delivery/list-deliveries.ts';
export { findWebhookEndpoints, listWebhookEndpoints } from './endpoints/list-endpoints.ts';
export {
  findPaymentEvents,
  parseFirst,
  startOfPaymentEvents,
  type PaymentEventsRequest,
} from './feed/payment-events.ts';
export { readLanes } from './feed/store/feed.sql.ts';
export { findFeedEvents } from './feed/find-events.ts';
export { eventNamePatterns } from './feed/names.ts';
export { countFeed } from './feed/count-feed.ts';
export {
  readFeed,
  targetSchema,
  type FeedArguments,
  type FeedPage,
  type FeedPageArguments,
} from './feed/read-feed.ts';
export { readNewest, type NewestArguments } from './feed/read-newest.ts';
export { hasRoom, keepPartitions, preparePartitions, startPartitions } from './partitions/keep-partitions.ts';
export { createRelayHint, oldestWaitingEvent, relayOnce, startRelay } from './log/relay.ts';
export { replayDelivery, replayEvent, type ReplayRefusal } from './replay/replay-delivery.ts';
export { replayEvents, type ReplayEventsInput } from './replay/replay-events.ts';
export { progressOf, totalOf, type ReplayJob } from './replay/jobs/replay-job.ts';
export { cancelReplayJob, findReplayJobs, listReplayJobs } from './replay/jobs/replay-jobs.ts';
export { countRunningReplays } from './replay/jobs/count-running.sql.ts';
export { countEndpointFailures } from './delivery/count-failures.sql.ts';
export { countBacklog } from './delivery/count-backlog.sql.ts';
export { replayOnce, startReplayer } from './replay/replayer.ts';
export { rotateWebhookSecret, type RotateWebhookSecret } from './endpoints/rotate-secret.ts';
export { sendTestEvent, type SendTestEvent, type TestAttempt } from './delivery/send-test-event.ts';
export { outletBacklogs, startOutlets, type OutletBacklog } from './outlets/start-outlets.ts';
export { FEED_CHANNEL, PENDING_CHANNEL } from './log/relay.sql.ts';
export { startRetention } from './log/retention.ts';
export { subscribeEvents } from './feed/subscribe.ts';
export { updateWebhookEndpoint } from './endpoints/update-endpoint.ts';
export type {
  WebhookBodyFormat,
  WebhookEndpoint,
  WebhookEndpointState,
} from './endpoints/webhook-endpoint.ts';
export { endpointInputSchemas } from './input-schemas.ts';
