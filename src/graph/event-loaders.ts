import DataLoader from 'dataloader';
import type { App, Viewer } from '../app.ts';
import type { Page } from '../kernel/page.ts';
import type { LineOrWhole } from '../platform/database/column-set.ts';
import {
  deliveriesKey,
  findAttempts,
  findDeliveries,
  findDeliveriesOfEvents,
  findPaymentEvents,
  startOfPaymentEvents,
  type DeliveriesRequest,
  type FeedEvent,
  type PaymentEventsRequest,
  type WebhookAttempt,
  type WebhookDelivery,
} from '../modules/events/index.ts';
import { BATCH_MAX } from './batch-max.ts';

/** Loads pages of deliveries. The same page of the same endpoint is read once. */
export const deliveriesOfEndpoints = (
  app: App,
  viewer: Viewer,
): DataLoader<DeliveriesRequest, Page<WebhookDelivery>, string> =>
  new DataLoader((requests) => findDeliveries(app, viewer, requests), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: deliveriesKey,
  });

/** Loads the deliveries of events, with these columns of the events. */
export const deliveriesOfEvents = (
  app: App,
  viewer: Viewer,
  columns: LineOrWhole,
): DataLoader<string, readonly WebhookDelivery[]> =>
  new DataLoader((ids) => findDeliveriesOfEvents(app, viewer, ids, columns), { maxBatchSize: BATCH_MAX });

/** Loads the latest attempts of deliveries. */
export const deliveryAttempts = (
  app: App,
  viewer: Viewer,
): DataLoader<WebhookDelivery, readonly WebhookAttempt[], string> =>
  new DataLoader((requested) => findAttempts(app, viewer, requested), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ id }) => id,
  });

/** Loads the places of cursors of the feed. */
export const feedStarts = (
  app: App,
  viewer: Viewer,
): DataLoader<string, Awaited<ReturnType<typeof startOfPaymentEvents>>> =>
  new DataLoader((cursors) =>
    Promise.all(cursors.map((cursor) => startOfPaymentEvents(app, viewer, cursor))),
  );

/** Loads pages of the events of payments. The same page of the same payment is read once. */
export const eventsOfPayments = (
  app: App,
  viewer: Viewer,
  columns: LineOrWhole,
): DataLoader<PaymentEventsRequest, Page<FeedEvent>, string> =>
  new DataLoader((requests) => findPaymentEvents(app, viewer, requests, columns), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ transactionId, after, order, first }) => `${transactionId} ${after} ${order} ${first}`,
  });
