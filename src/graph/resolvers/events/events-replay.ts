import {
  cancelReplayJob,
  deliveriesRequest,
  deliveryKey,
  listReplayJobs,
  parseFirst,
  progressOf,
  replayDelivery,
  replayEvent,
  replayEvents,
  totalOf,
  type ReplayRefusal,
} from '../../../modules/events/index.ts';
import type { Refused } from '../../../kernel/result.ts';
import { invalidArguments } from '../../errors.ts';
import type {
  EventResolvers,
  MutationResolvers,
  QueryResolvers,
  ReplayJobResolvers,
  WebhookDeliveryResolvers,
  WebhookEndpointResolvers,
} from '../../generated/events.ts';
import { eventColumnsOfDeliveries } from '../columns.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';

export const replayQueries: Pick<QueryResolvers, 'replayJob' | 'replayJobs'> = {
  replayJob: (_, { id }, { loaders }) => loaders.replayJob.load(id),
  replayJobs: async (_, { webhookEndpointId, ...page }, { app, viewer }) => {
    const found = await listReplayJobs(app, viewer, parsePageOrThrow(page), webhookEndpointId);
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
};

export const replayMutations: Pick<
  MutationResolvers,
  'replayDelivery' | 'replayEvent' | 'replayEvents' | 'cancelReplayJob'
> = {
  replayDelivery: async (_, { idempotencyKey, ...ids }, { app, viewer }) => {
    const answer = await replayDelivery(app, viewer, ids, idempotencyKey);
    return answer.ok ? { ...answer.value, userErrors: [] } : { replayJob: null, ...refused(answer) };
  },
  replayEvent: async (_, { eventId, idempotencyKey }, { app, viewer }) => {
    const answer = await replayEvent(app, viewer, eventId, idempotencyKey);
    if (!answer.ok) return { replayJobs: [], replayJobIds: [], ...refused(answer) };
    const replayJobIds = answer.value.replayJobs.map(({ id }) => id);
    return { ...answer.value, replayJobIds, userErrors: [] };
  },
  replayEvents: async (_, { input, idempotencyKey }, { app, viewer }) => {
    const answer = await replayEvents(app, viewer, input, idempotencyKey);
    if (answer.ok) return { ...answer.value, userErrors: [] };
    return { replayJob: null, dryRunCount: null, ...refused(answer) };
  },
  cancelReplayJob: async (_, { id }, { app, viewer }) => {
    const answer = await cancelReplayJob(app, viewer, id);
    if (!answer.ok) return { replayJob: null, userErrors: toUserErrors(answer.refusals) };
    return { replayJob: answer.value, userErrors: [] };
  },
};

const refused = ({ refusals }: Refused<ReplayRefusal>) => ({
  userErrors: toUserErrors(refusals),
  replayed: false,
});

export const eventDeliveries: Pick<EventResolvers, 'deliveries'> = {
  deliveries: async ({ id }, { first }, { loaders }, info) => {
    const size = parseFirst(first ?? DELIVERIES_MAX, DELIVERIES_MAX);
    if (!size.ok) throw invalidArguments(size.refusals);
    const deliveries =
      eventColumnsOfDeliveries.ofField(info) === 'line'
        ? loaders.lineDeliveriesOfEvent
        : loaders.deliveriesOfEvent;
    return (await deliveries.load(id)).slice(0, size.value);
  },
};

/** The most deliveries that an event shows. */
const DELIVERIES_MAX = 50;

export const endpointDeliveries: Pick<WebhookEndpointResolvers, 'deliveries'> = {
  deliveries: async ({ id }, { states, ...page }, { loaders }, info) => {
    const columns = eventColumnsOfDeliveries.ofList(info);
    const request = deliveriesRequest(id, parsePageOrThrow(page), states, columns);
    if (!request.ok) throw invalidArguments(request.refusals);
    return toConnection(await loaders.deliveries.load(request.value), deliveryKey);
  },
};

export const deliveryResolvers: {
  readonly WebhookDelivery: WebhookDeliveryResolvers;
  readonly ReplayJob: ReplayJobResolvers;
} = {
  WebhookDelivery: {
    webhookEndpoint: ({ webhookEndpointId }, _, { loaders }) =>
      loaders.webhookEndpoint.load(webhookEndpointId),
    attempts: (delivery, _, { loaders }) => loaders.deliveryAttempts.load(delivery),
  },
  ReplayJob: {
    webhookEndpoint: ({ webhookEndpointId }, _, { loaders }) =>
      loaders.webhookEndpoint.load(webhookEndpointId),
    totalCount: (job) => totalOf(job),
    progress: (job) => progressOf(job),
  },
};
