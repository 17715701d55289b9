import DataLoader from 'dataloader';
import type { App, Viewer } from '../app.ts';
import { findApiKeyPairs, findMerchantAccounts } from '../modules/accounts/index.ts';
import { findWebhookEndpoints } from '../modules/events/index.ts';
import { findPaymentServices } from '../modules/payment-services/index.ts';
import {
  findOperationsOf,
  findTransactions,
  type Operation,
  type OperationKind,
} from '../modules/transactions/index.ts';

/** The one way to an entity by its id: resolvers of other subgraphs and `__resolveReference` both go through it. */
export type Loaders = ReturnType<typeof createLoaders>;

/**
 * One loader for each entity, for one request of one viewer: every look-up is of the viewer's merchant account, and
 * nothing is kept for the next request. An id that names nothing there loads null.
 */
export function createLoaders(app: App, viewer: Viewer) {
  return {
    merchantAccount: loader(app, viewer, findMerchantAccounts),
    apiKeyPair: loader(app, viewer, findApiKeyPairs),
    paymentService: loader(app, viewer, findPaymentServices),
    transaction: loader(app, viewer, findTransactions),
    webhookEndpoint: loader(app, viewer, findWebhookEndpoints),
    /** The latest captures of a transaction, newest first. */
    captures: operations(app, viewer, 'capture'),
    /** The latest refunds of a transaction, newest first. */
    refunds: operations(app, viewer, 'refund'),
  };
}

/** Answers in the order of the ids, null where the viewer has no such record. */
type Find<Entity> = (app: App, viewer: Viewer, ids: readonly string[]) => Promise<readonly (Entity | null)[]>;

/** Ids of one batch are bounded, so that a long list of references cannot make one statement without end. */
const BATCH_MAX = 250;

const loader = <Entity>(app: App, viewer: Viewer, find: Find<Entity>): DataLoader<string, Entity | null> =>
  new DataLoader((ids) => find(app, viewer, ids), { maxBatchSize: BATCH_MAX });

const operations = (
  app: App,
  viewer: Viewer,
  kind: OperationKind,
): DataLoader<string, readonly Operation[]> =>
  new DataLoader((ids) => findOperationsOf(app, viewer, kind, ids), { maxBatchSize: BATCH_MAX });
