import DataLoader from 'dataloader';
import type { App, Viewer } from '../app.ts';
import { lazily, type Made } from '../kernel/lazily.ts';
import type { Page } from '../kernel/page.ts';
import type { InvalidInput } from '../kernel/refusal.ts';
import type { Result } from '../kernel/result.ts';
import type { LineOrWhole } from '../platform/database/column-set.ts';
import { findApiKeyPairs, findMerchantAccounts } from '../modules/accounts/index.ts';
import {
  findDisputes,
  findDisputesOf,
  findResponsesOf,
  type Dispute,
  type DisputeResponse,
} from '../modules/disputes/index.ts';
import { findFeedEvents, findReplayJobs, findWebhookEndpoints } from '../modules/events/index.ts';
import {
  findBuyers,
  findBuyersByExternalIdentifier,
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
import {
  findAntiFraudServices,
  findCircuitsOf,
  findPaymentServices,
} from '../modules/payment-services/index.ts';
import {
  findSettlements,
  findSettlementsOf,
  findSettlementSources,
  findSettlementTotals,
  type Settlement,
  type SettlementTotal,
} from '../modules/settlements/index.ts';
import {
  findRoutingRuleSets,
  findRoutingRuleSetVersions,
  findRoutingValueSets,
  findRoutingVersionHeads,
} from '../modules/routing/index.ts';
import { findThreeDSScenarios } from '../modules/three-ds/index.ts';
import {
  findFollowUps,
  findHistory,
  findOperations,
  findOperationsOf,
  findRedemptionsOf,
  findRefundApprovalsOf,
  findRefundedAlone,
  findRetryPlans,
  findTransactions,
  findTransactionCountsOf,
  findTransactionsOf,
  findTransactionsOfLinks,
  type FollowUpKind,
  type HistoryEntry,
  type HistoryRequest,
  type Operation,
  type OperationColumns,
  type OperationsWanted,
  type Redemption,
  type RefundApproval,
  type Transaction,
  type TransactionColumns,
  type TransactionCountOf,
  type TransactionsOf,
} from '../modules/transactions/index.ts';
import { BATCH_MAX } from './batch-max.ts';
import {
  deliveriesOfEndpoints,
  deliveriesOfEvents,
  deliveryAttempts,
  eventsOfPayments,
  feedStarts,
} from './event-loaders.ts';

type Given = { readonly app: App; readonly viewer: Viewer };

const table = <Table extends Readonly<Record<string, (given: Given) => unknown>>>(made: Table): Table => made;

const LOADERS = table({
  merchantAccount: ({ app, viewer }) => loader(app, viewer, findMerchantAccounts),
  apiKeyPair: ({ app, viewer }) => loader(app, viewer, findApiKeyPairs),
  /** Buyers with every column, and with the columns of a line. */
  buyer: ({ app, viewer }) => loader(app, viewer, findBuyers),
  lineBuyer: ({ app, viewer }) => lines(app, viewer, findBuyers),
  buyerByExternalIdentifier: ({ app, viewer }) => loader(app, viewer, findBuyersByExternalIdentifier),
  /** The shipping details of a buyer, oldest first. */
  shippingDetails: ({ app, viewer }) => lists<ShippingDetails>(app, viewer, findShippingDetailsOf),
  giftCard: ({ app, viewer }) => loader(app, viewer, findGiftCards),
  /** The gift cards that a buyer can pay with, in no order. */
  giftCardsOfBuyer: ({ app, viewer }) => lists<GiftCard>(app, viewer, findGiftCardsOfBuyers),
  /** Payment methods with every column, and with the columns of a line. */
  paymentMethod: ({ app, viewer }) => loader(app, viewer, findPaymentMethods),
  linePaymentMethod: ({ app, viewer }) => lines(app, viewer, findPaymentMethods),
  /** The first payment methods of a buyer by a sort. */
  paymentMethodsOfBuyer: ({ app, viewer }) =>
    new DataLoader<PaymentMethodsOfBuyer, readonly PaymentMethod[], string>(
      (requests) => findPaymentMethodsOf(app, viewer, requests),
      {
        maxBatchSize: BATCH_MAX,
        cacheKeyFn: ({ buyerId, sort, columns }) => `${buyerId} ${sort} ${columns}`,
      },
    ),
  /** Payment services with every column, and with the columns of a line. */
  paymentService: ({ app, viewer }) => loader(app, viewer, findPaymentServices),
  linePaymentService: ({ app, viewer }) => lines(app, viewer, findPaymentServices),
  /** The open circuit of a payment service, by the service's id. */
  circuit: ({ app, viewer }) => loader(app, viewer, findCircuitsOf),
  antiFraudService: ({ app, viewer }) => loader(app, viewer, findAntiFraudServices),
  threeDSScenario: ({ app, viewer }) => loader(app, viewer, findThreeDSScenarios),
  routingRuleSet: ({ app, viewer }) => loader(app, viewer, findRoutingRuleSets),
  routingRuleSetVersion: ({ app, viewer }) => loader(app, viewer, findRoutingVersionHeads),
  /** Versions with their rules, which may be large. */
  routingRules: ({ app, viewer }) => loader(app, viewer, findRoutingRuleSetVersions),
  routingValueSet: ({ app, viewer }) => loader(app, viewer, findRoutingValueSets),
  /** Transactions with every column, and with the columns of a smaller set. */
  transaction: ({ app, viewer }) => transactions(app, viewer, 'whole'),
  lineTransaction: ({ app, viewer }) => transactions(app, viewer, 'line'),
  briefTransaction: ({ app, viewer }) => transactions(app, viewer, 'brief'),
  coreTransaction: ({ app, viewer }) => transactions(app, viewer, 'core'),
  /** Pages of the transactions of a buyer, a payment method or a payment service. */
  transactionsOf: ({ app, viewer }) =>
    ofRecords<TransactionsOf, Result<Page<Transaction>, InvalidInput>>(app, viewer, findTransactionsOf),
  /** Counts of the transactions of a buyer, a payment method or a payment service. */
  transactionCountsOf: ({ app, viewer }) =>
    ofRecords<TransactionCountOf, Result<number, InvalidInput>>(app, viewer, findTransactionCountsOf),
  dispute: ({ app, viewer }) => loader(app, viewer, findDisputes),
  /** The latest disputes of a transaction, newest first. */
  disputesOf: ({ app, viewer }) => lists<Dispute>(app, viewer, findDisputesOf),
  /** The latest responses to a dispute, newest first. */
  responsesOf: ({ app, viewer }) => lists<DisputeResponse>(app, viewer, findResponsesOf),
  settlement: ({ app, viewer }) => loader(app, viewer, findSettlements),
  /** The latest entries of a transaction, newest first. */
  settlementsOf: ({ app, viewer }) => lists<Settlement>(app, viewer, findSettlementsOf),
  /** The sums of all entries of a transaction, by currency. */
  settlementTotalsOf: ({ app, viewer }) => lists<SettlementTotal>(app, viewer, findSettlementTotals),
  /** The place up to which the settlements of a payment service are fetched, by the service's id. */
  settlementSource: ({ app, viewer }) => loader(app, viewer, findSettlementSources),
  /** Payment links with every column, and with the columns of a line. */
  paymentLink: ({ app, viewer }) => loader(app, viewer, findPaymentLinks),
  linePaymentLink: ({ app, viewer }) => lines(app, viewer, findPaymentLinks),
  paymentLinkUrl: ({ app, viewer }) => loader(app, viewer, findPaymentLinkUrls),
  /** The latest transactions that pay a link, newest first, with the smallest set of columns. */
  transactionsOfLink: ({ app, viewer }) =>
    lists<Transaction>(app, viewer, (on, by, ids) => findTransactionsOfLinks(on, by, ids, 'core')),
  webhookEndpoint: ({ app, viewer }) => loader(app, viewer, findWebhookEndpoints),
  /** The events of the feed by their ids, with every column, and with the columns of a line. */
  event: ({ app, viewer }) => loader(app, viewer, findFeedEvents),
  lineEvent: ({ app, viewer }) => lines(app, viewer, findFeedEvents),
  replayJob: ({ app, viewer }) => loader(app, viewer, findReplayJobs),
  /** Pages of endpoints' deliveries, newest event first. */
  deliveries: ({ app, viewer }) => deliveriesOfEndpoints(app, viewer),
  /** The deliveries of an event by its id, newest endpoint first. */
  deliveriesOfEvent: ({ app, viewer }) => deliveriesOfEvents(app, viewer, 'whole'),
  lineDeliveriesOfEvent: ({ app, viewer }) => deliveriesOfEvents(app, viewer, 'line'),
  /** The latest attempts of a delivery, newest first. */
  deliveryAttempts: ({ app, viewer }) => deliveryAttempts(app, viewer),
  operation: ({ app, viewer }) => loader(app, viewer, findOperations),
  /** The latest captures or refunds of a transaction, newest first. One statement reads both. */
  briefFollowUps: ({ app, viewer }) => followUps(app, viewer, 'brief'),
  followUps: ({ app, viewer }) => followUps(app, viewer, 'whole'),
  /** The latest operations of any kind of a transaction, newest first. */
  operations: ({ app, viewer }) => operations(app, viewer, { which: 'all', columns: 'whole' }),
  briefOperations: ({ app, viewer }) => operations(app, viewer, { which: 'all', columns: 'brief' }),
  /** The authorisations of a transaction, in the order in which services were asked. */
  attempts: ({ app, viewer }) => operations(app, viewer, { which: 'attempts', columns: 'whole' }),
  briefAttempts: ({ app, viewer }) => operations(app, viewer, { which: 'attempts', columns: 'brief' }),
  /** The amount that each gift card pays of a transaction, in order. */
  redemptions: ({ app, viewer }) => lists<Redemption>(app, viewer, findRedemptionsOf),
  /** The latest requests for refunds of a transaction, newest first. */
  refundApprovalsOf: ({ app, viewer }) => lists<RefundApproval>(app, viewer, findRefundApprovalsOf),
  /** The plan of the later tries of a transaction, by the id of the transaction. */
  retryPlan: ({ app, viewer }) => loader(app, viewer, findRetryPlans),
  /** The amount of a transaction that people refunded without a second person. */
  refundedAlone: ({ app, viewer }) => loader<number>(app, viewer, findRefundedAlone),
  /** Pages of the history of payments, with every column, and with the columns of a line. */
  history: ({ app, viewer }) => histories(app, viewer, 'whole'),
  lineHistory: ({ app, viewer }) => histories(app, viewer, 'line'),
  /** The sequence of a cursor of the feed, or the refusal of the cursor. */
  feedStart: ({ app, viewer }) => feedStarts(app, viewer),
  /** Pages of the events of payments, oldest first. */
  paymentEvents: ({ app, viewer }) => eventsOfPayments(app, viewer, 'whole'),
  linePaymentEvents: ({ app, viewer }) => eventsOfPayments(app, viewer, 'line'),
});

/** The loaders of one request. Resolvers of other subgraphs and `__resolveReference` load entities through them. */
export type Loaders = Made<typeof LOADERS>;

const makeLoaders = lazily<Given, typeof LOADERS>(LOADERS);

/**
 * Creates one loader for each entity, for one request of one viewer. A loader is made when it is first used. Every look-up is
 * limited to the viewer's merchant account. The next request starts empty. An unknown id loads null.
 */
export const createLoaders = (app: App, viewer: Viewer): Loaders => makeLoaders({ app, viewer });

/** Finds records in the order of the ids, with null where the viewer has no such record. */
type Find<Entity> = (app: App, viewer: Viewer, ids: readonly string[]) => Promise<readonly (Entity | null)[]>;

const loader = <Entity>(app: App, viewer: Viewer, find: Find<Entity>): DataLoader<string, Entity | null> =>
  new DataLoader((ids) => find(app, viewer, ids), { maxBatchSize: BATCH_MAX });

/** Loads entities with the columns of a line alone. */
const lines = <Entity>(
  app: App,
  viewer: Viewer,
  find: (
    app: App,
    viewer: Viewer,
    ids: readonly string[],
    columns: LineOrWhole,
  ) => Promise<readonly (Entity | null)[]>,
): DataLoader<string, Entity | null> => loader(app, viewer, (on, by, ids) => find(on, by, ids, 'line'));

const transactions = (app: App, viewer: Viewer, columns: TransactionColumns) =>
  loader(app, viewer, (on, by, ids) => findTransactions(on, by, ids, columns));

/** Finds a list for each id, in the order of the ids. */
type FindLists<Item> = (
  app: App,
  viewer: Viewer,
  ids: readonly string[],
) => Promise<readonly (readonly Item[])[]>;

const lists = <Item>(app: App, viewer: Viewer, find: FindLists<Item>): DataLoader<string, readonly Item[]> =>
  new DataLoader((ids) => find(app, viewer, ids), { maxBatchSize: BATCH_MAX });

/** Loads an answer about each record. Requests with the same id and key are one. */
const ofRecords = <Request extends TransactionsOf, Answer>(
  app: App,
  viewer: Viewer,
  find: (app: App, viewer: Viewer, requests: readonly Request[]) => Promise<readonly Answer[]>,
): DataLoader<Request, Answer, string> =>
  new DataLoader((requests) => find(app, viewer, requests), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ id, key }) => `${id} ${key}`,
  });

const operations = (
  app: App,
  viewer: Viewer,
  wanted: OperationsWanted,
): DataLoader<string, readonly Operation[]> =>
  new DataLoader((ids) => findOperationsOf(app, viewer, wanted, ids), { maxBatchSize: BATCH_MAX });

/** A list of a transaction to load. */
type FollowUpRequest = { readonly transactionId: string; readonly kind: FollowUpKind };

const followUps = (
  app: App,
  viewer: Viewer,
  columns: OperationColumns,
): DataLoader<FollowUpRequest, readonly Operation[], string> =>
  new DataLoader(
    async (requests) => {
      const transactions = [...new Set(requests.map(({ transactionId }) => transactionId))];
      const kinds = [...new Set(requests.map(({ kind }) => kind))];
      const found = await findFollowUps(app, viewer, columns, { transactions, kinds });
      const byId = new Map(transactions.map((id, index) => [id, found[index]]));
      return requests.map(({ transactionId, kind }) => byId.get(transactionId)?.[kind] ?? []);
    },
    { maxBatchSize: BATCH_MAX, cacheKeyFn: ({ kind, transactionId }) => `${kind} ${transactionId}` },
  );

/** Loads pages of histories. The same page of the same history is read once. */
const histories = (
  app: App,
  viewer: Viewer,
  columns: LineOrWhole,
): DataLoader<HistoryRequest, Page<HistoryEntry>, string> =>
  new DataLoader((requests) => findHistory(app, viewer, requests, columns), {
    maxBatchSize: BATCH_MAX,
    cacheKeyFn: ({ transactionId, page: { cursor, limit }, until }) =>
      `${transactionId} ${cursor ?? ''} ${limit} ${until?.getTime() ?? ''}`,
  });
