import DataLoader from 'dataloader';
import type { App, Viewer } from '../app.ts';
import type { Page } from '../kernel/page.ts';
import { findApiKeyPairs, findMerchantAccounts } from '../modules/accounts/index.ts';
import {
  findDisputes,
  findDisputesOf,
  findResponsesOf,
  type Dispute,
  type DisputeResponse,
} from '../modules/disputes/index.ts';
import {
  deliveriesKey,
  findAttempts,
  findDeliveries,
  findDeliveriesOfEvents,
  findPaymentEvents,
  findReplayJobs,
  findWebhookEndpoints,
  startOfPaymentEvents,
  type DeliveriesRequest,
  type FeedEvent,
  type PaymentEventsRequest,
  type WebhookAttempt,
  type WebhookDelivery,
} from '../modules/events/index.ts';
import {
  findBuyers,
  findGiftCards,
  findGiftCardsOfBuyers,
  findPaymentMethods,
  findPaymentMethodsOf,
  findShippingDetailsOf,
  type GiftCard,
  type PaymentMethod,
  type PaymentMethodsOfBuyer,
  type ShippingDetails,
} from '../modules/payment-methods/index.ts';
import { findPaymentLinks, findPaymentLinkUrls } from '../modules/payment-links/index.ts';
import { findAntiFraudServices, findPaymentServices } from '../modules/payment-services/index.ts';
import {
  findSettlements,
  findSettlementsOf,
  findSettlementSources,
  findSettlementTotals,
  type Settlement,
  type SettlementTotal,
} from '../modules/settlements/index.ts';
import { findThreeDSScenarios } from '../modules/three-ds/index.ts';
import {
  findFollowUps,
  findHistory,
  findOperations,
  findOperationsOf,
  findRedemptionsOf,
  findTransactions,
  findTransactionsOfLinks,
  type FollowUps,
  type HistoryEntry,
  type HistoryRequest,
  type Operation,
  type OperationColumns,
  type OperationsOf,
  type Redemption,
  type Transaction,
} from '../modules/transactions/index.ts';

/** The loaders of one request. Resolvers of other subgraphs and `__resolveReference` load entities through them. */
export type Loaders = ReturnType<typeof createLoaders>;

/**
 * Creates one loader for each entity, for one request of one viewer. Every look-up is limited to the viewer's merchant account.
 * The next request starts empty. An unknown id loads null.
 */
export function createLoaders(app: App, viewer: Viewer) {
  return {
    merchantAccount: loader(app, viewer, findMerchantAccounts),
    apiKeyPair: loader(app, viewer, findApiKeyPairs),
    buyer: loader(app, viewer, findBuyers),
    /** The shipping details of a buyer, oldest first. */
    shippingDetails: lists<ShippingDetails>(app, viewer, findShippingDetailsOf),
    giftCard: loader(app, viewer, findGiftCards),
    /** The gift cards that a buyer can pay with, in no order. */
    giftCardsOfBuyer: lists<GiftCard>(app, viewer, findGiftCardsOfBuyers),
    paymentMethod: loader(app, viewer, findPaymentMethods),
    /** The first payment methods of a buyer by a sort. */
    paymentMethodsOfBuyer: new DataLoader<PaymentMethodsOfBuyer, readonly PaymentMethod[], string>(
      (requests) => findPaymentMethodsOf(app, viewer, requests),
      { maxBatchSize: BATCH_MAX, cacheKeyFn: ({ buyerId, sort }) => `${buyerId} ${sort}` },
    ),
    paymentService: loader(app, viewer, findPaymentServices),
    antiFraudService: loader(app, viewer, findAntiFraudServices),
    threeDSScenario: loader(app, viewer, findThreeDSScenarios),
    transaction: loader(app, viewer, findTransactions),
    dispute: loader(app, viewer, findDisputes),
    /** The latest disputes of a transaction, newest first. */
    disputesOf: lists<Dispute>(app, viewer, findDisputesOf),
    /** The latest responses to a dispute, newest first. */
    responsesOf: lists<DisputeResponse>(app, viewer, findResponsesOf),
    ...settlementLoaders(app, viewer),
    paymentLink: loader(app, viewer, findPaymentLinks),
    paymentLinkUrl: loader(app, viewer, findPaymentLinkUrls),
    /** The latest transactions that pay a link, newest first. */
    transactionsOfLink: lists<Transaction>(app, viewer, findTransactionsOfLinks),
    webhookEndpoint: loader(app, viewer, findWebhookEndpoints),
    replayJob: loader(app, viewer, findReplayJobs),
    /** Pages of endpoints' deliveries, newest event first. */
    deliveries: deliveries(app, viewer),
    /** The deliveries of an event by its id, newest endpoint first. */
    deliveriesOfEvent: deliveriesOfEvents(app, viewer),
    /** The latest attempts of a delivery, newest first. */
    deliveryAttempts: deliveryAttempts(app, viewer),
    operation: loader(app, viewer, findOperations),
    /** The latest captures or refunds of a transaction, newest first. One statement reads both. */
    briefFollowUps: followUps(app, viewer, 'brief'),
    followUps: followUps(app, viewer, 'whole'),
    /** The latest operations of any kind of a transaction, newest first. */
    operations: operations(app, viewer, 'all'),
    /** The authorisations of a transaction, in the order in which services were asked. */
    attempts: operations(app, viewer, 'attempts'),
    /** The amount that each gift card pays of a transaction, in order. */
    redemptions: lists<Redemption>(app, viewer, findRedemptionsOf),
    history: histories(app, viewer),
    /** The sequence of a cursor of the feed, or the refusal of the cursor. */
    feedStart: feedStarts(app, viewer),
    /** Pages of the events of payments, oldest first. */
    paymentEvents: eventsOfPayments(app, viewer),
  };
}

const settlementLoaders = (app: App, viewer: Viewer) => ({
  settlement: loader(app, viewer, findSettlements),
  /** The latest entries of a transaction, newest first. */
  settlementsOf: lists<Settlement>(app, viewer, findSettlementsOf),
  /** The sums of all entries of a transaction, by currency. */
  settlementTotalsOf: lists<SettlementTotal>(app, viewer, findSettlementTotals),
  /** The place up to which the settlements of a payment service are fetched, by the service's id. */
  settlementSource: loader(app, viewer, findSettlementSources),
});

/** Finds records in the order of the ids, with null where the viewer has no such record. */
type Find<Entity> = (app: App, viewer: Viewer, ids: readonly string[]) => Promise<readonly (Entity | null)[]>;

/** The most ids in one statement. A longer list of references becomes several statements. */
const BATCH_MAX = 250;

const loader = <Entity>(app: App, viewer: Viewer, find: Find<Entity>): DataLoader<string, Entity | null> =>
  new DataLoader((ids) => find(app, viewer, ids), { maxBatchSize: BATCH_MAX });

/** Finds a list for each id, in the order of the ids. */
type FindLists<Item> = (
  app: App,
  viewer: Viewer,
  ids: readonly string[],
) => Promise<readonly (readonly Item[])[]>;

const lists = <Item>(app: App, viewer: Viewer, find: FindLists<Item>): DataLoader<string, readonly Item[]> =>
  new DataLoader((ids) => find(app, viewer, ids), { maxBatchSize: BATCH_MAX });

const operations = (
  app: App,
  viewer: Viewer,
  which: OperationsOf,
): DataLoader<string, readonly Operation[]> =>
  new DataLoader((ids) => findOperationsOf(app, viewer, which, ids), { maxBatchSize: BATCH_MAX });

const followUps = (
  app: App,
  viewer: Viewer,
  columns: OperationColumns,
): DataLoader<FollowUps, readonly Operation[], string> =>
  new DataLoader((wanted) => findFollowUps(app, viewer, columns, wanted), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ kind, transactionId }) => `${kind} ${transactionId}`,
  });

/** Loads pages of histories. The same page of the same history is read once. */
const histories = (app: App, viewer: Viewer): DataLoader<HistoryRequest, Page<HistoryEntry>, string> =>
  new DataLoader((requests) => findHistory(app, viewer, requests), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ transactionId, page: { cursor, limit }, until }) =>
      `${transactionId} ${cursor ?? ''} ${limit} ${until?.getTime() ?? ''}`,
  });

/** Loads pages of deliveries. The same page of the same endpoint is read once. */
const deliveries = (app: App, viewer: Viewer): DataLoader<DeliveriesRequest, Page<WebhookDelivery>, string> =>
  new DataLoader((requests) => findDeliveries(app, viewer, requests), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: deliveriesKey,
  });

const deliveriesOfEvents = (app: App, viewer: Viewer): DataLoader<string, readonly WebhookDelivery[]> =>
  new DataLoader((ids) => findDeliveriesOfEvents(app, viewer, ids), { maxBatchSize: BATCH_MAX });

const deliveryAttempts = (
  app: App,
  viewer: Viewer,
): DataLoader<WebhookDelivery, readonly WebhookAttempt[], string> =>
  new DataLoader((requested) => findAttempts(app, viewer, requested), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ id }) => id,
  });

const feedStarts = (
  app: App,
  viewer: Viewer,
): DataLoader<string, Awaited<ReturnType<typeof startOfPaymentEvents>>> =>
  new DataLoader((cursors) =>
    Promise.all(cursors.map((cursor) => startOfPaymentEvents(app, viewer, cursor))),
  );

/** Loads pages of the events of payments. The same page of the same payment is read once. */
const eventsOfPayments = (
  app: App,
  viewer: Viewer,
): DataLoader<PaymentEventsRequest, Page<FeedEvent>, string> =>
  new DataLoader((requests) => findPaymentEvents(app, viewer, requests), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ transactionId, after, first }) => `${transactionId} ${after} ${first}`,
  });
