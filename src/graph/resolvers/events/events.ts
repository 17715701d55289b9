import { EVENT_MEANINGS, EVENT_NAMES, payloadSchema } from '../../../modules/event-log/index.ts';
import {
  countFeed,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  feedKey,
  listWebhookEndpoints,
  readFeed,
  readNewest,
  subscribeEvents,
  transactionIdOf,
  updateWebhookEndpoint,
  type CursorExpired,
  type FeedEvent,
  type FeedPage,
} from '../../../modules/events/index.ts';
import type { App, Viewer } from '../../../app.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { invalidInput } from '../../../kernel/refusal.ts';
import { cursorExpired, invalidArguments } from '../../errors.ts';
import { eventColumns, eventsFor } from '../columns.ts';
import { feedError } from './feed-errors.ts';
import { webhookMutations } from './events-webhooks.ts';
import {
  deliveryResolvers,
  endpointDeliveries,
  eventDeliveries,
  replayMutations,
  replayQueries,
} from './events-replay.ts';
import type { QueryEventsArgs, Resolvers } from '../../generated/events.ts';
import { merchantAccountOf } from '../merchant-account.ts';
import { countable, parsePageOrThrow, toConnection, totalCount, type Connection } from '../pages.ts';
import { paymentEvents } from './payment-events.ts';
import { toUserErrors } from '../refusals.ts';
import type { Subgraph } from '../../federation/subgraph.ts';

const resolvers: Resolvers = {
  Query: {
    events: async (_, args, { app, viewer }, info) => {
      const connection = await readPage(app, viewer, { ...args, columns: eventColumns.ofList(info) });
      return countable(connection, async (atMost) => {
        const count = await countFeed(app, viewer, args, atMost);
        if (!count.ok) throw feedError(count.refusals);
        return count;
      });
    },
    event: (_, { id }, { loaders }, info) => eventsFor(info, loaders).load(id),
    eventTypes: () =>
      EVENT_NAMES.map((name) => ({
        ...{ name, description: EVENT_MEANINGS[name] },
        payloadSchema: payloadSchema(name),
      })),
    webhookEndpoint: (_, { id }, { loaders }) => loaders.webhookEndpoint.load(id),
    webhookEndpoints: async (_, page, { app, viewer }) => {
      const found = await listWebhookEndpoints(app, viewer, parsePageOrThrow(page));
      if (!found.ok) throw invalidArguments(found.refusals);
      return toConnection(found.value);
    },
    ...replayQueries,
  },
  Mutation: {
    ...webhookMutations,
    createWebhookEndpoint: async (_, { input, idempotencyKey }, { app, viewer }) => {
      const created = await createWebhookEndpoint(app, viewer, input, idempotencyKey);
      if (created.ok) return { ...created.value, userErrors: [] };
      return {
        webhookEndpoint: null,
        secret: null,
        userErrors: toUserErrors(created.refusals),
        replayed: false,
      };
    },
    updateWebhookEndpoint: async (_, { id, input }, { app, viewer }) => {
      const updated = await updateWebhookEndpoint(app, viewer, id, input);
      if (!updated.ok) return { webhookEndpoint: null, userErrors: toUserErrors(updated.refusals) };
      return { webhookEndpoint: updated.value, userErrors: [] };
    },
    deleteWebhookEndpoint: async (_, { id }, { app, viewer }) => {
      const deleted = await deleteWebhookEndpoint(app, viewer, id);
      if (!deleted.ok) return { deletedId: null, userErrors: toUserErrors(deleted.refusals) };
      return { deletedId: deleted.value, userErrors: [] };
    },
    ...replayMutations,
  },
  Subscription: {
    events: {
      subscribe: async (_, args, { app, viewer }) => {
        const started = await subscribeEvents(app, viewer, args);
        if (!started.ok) throw feedError(started.refusals);
        return started.value;
      },
      resolve: (event: FeedEvent | CursorExpired) => {
        if ('kind' in event) throw cursorExpired(event.earliestCursor);
        return event;
      },
    },
  },
  EventConnection: { totalCount },
  Event: {
    __resolveReference: ({ id }, { loaders }, info) => eventsFor(info, loaders).load(id),
    ...eventDeliveries,
    target: ({ targetType, targetId }) => ({ type: targetType, id: targetId }),
    transaction: (event) => {
      const id = transactionIdOf(event);
      return id === null ? null : { id };
    },
  },
  Transaction: paymentEvents,
  ...deliveryResolvers,
  CreateWebhookEndpointPayload: { webhookEndpointId: ({ webhookEndpoint }) => webhookEndpoint?.id ?? null },
  ReplayDeliveryPayload: { replayJobId: ({ replayJob }) => replayJob?.id ?? null },
  ReplayEventsPayload: { replayJobId: ({ replayJob }) => replayJob?.id ?? null },
  WebhookEndpoint: {
    ...endpointDeliveries,
    ...merchantAccountOf,
    __resolveReference: ({ id }, { loaders }) => loaders.webhookEndpoint.load(id),
  },
};

type FeedConnection = Connection<FeedEvent> & { readonly head: string };

/** Reads a page of the feed in either direction. */
async function readPage(
  app: App,
  viewer: Viewer,
  { first, after, last, before, types, target, columns }: QueryEventsArgs & { readonly columns: LineOrWhole },
): Promise<FeedConnection> {
  if (last == null && before == null) {
    const found = await readFeed(app, viewer, { first: first ?? PAGE, after, types, target, columns });
    if (!found.ok) throw feedError(found.refusals);
    return toFeedConnection(found.value, 'endCursor');
  }
  if (first != null || after != null)
    throw invalidArguments([invalidInput(['first'], 'Give first and after, or last and before, not both.')]);
  const found = await readNewest(app, viewer, { last: last ?? PAGE, before, types, target, columns });
  if (!found.ok) throw feedError(found.refusals);
  return toFeedConnection(found.value, 'startCursor');
}

/** The default size of a page. */
const PAGE = 20;

/** Shows a page of the feed. A page that ended before it was full has the cursor of its last visited event at that end. */
function toFeedConnection(page: FeedPage, end: 'startCursor' | 'endCursor'): FeedConnection {
  const connection = Object.assign(toConnection(page, feedKey), { head: page.head });
  const { stoppedAt } = page;
  if (stoppedAt === null) return connection;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = connection.pageInfo;
  const pageInfo = { hasNextPage, hasPreviousPage, startCursor, endCursor, [end]: stoppedAt };
  return Object.assign(connection, { pageInfo });
}

/** The event log, the live feed, and the webhook endpoints that receive the events. */
export const eventsSubgraph: Subgraph = { name: 'events', resolvers };
