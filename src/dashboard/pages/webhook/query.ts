import type { Answer } from '../../../client/operations/selection.ts';
import type { ReplayEventsInput, ReplayJob, WebhookDelivery } from '../../../client/generated/schema.ts';
import { api } from '../../app/api.ts';
import { PAGE_INFO, rowsOf, type Rows } from '../../app/pages.ts';
import { ENDPOINT } from '../webhooks/query.ts';

/** Reads an endpoint. Null without such an endpoint. */
export const readEndpoint = async (id: string, signal: AbortSignal) =>
  (await api.query({ webhookEndpoint: [{ id }, ENDPOINT] }, { signal })).webhookEndpoint;

const ROW = {
  ...{ id: true, state: true, attemptCount: true, createdAt: true },
  event: { id: true, name: true, createdAt: true },
} as const;

/** A delivery of the list. */
export type Row = Answer<WebhookDelivery, typeof ROW>;

/** The deliveries that a person can choose. */
export const FILTERS = {
  all: [],
  waiting: ['PENDING', 'IN_FLIGHT'],
  delivered: ['DELIVERED'],
  lost: ['EXPIRED', 'CANCELLED'],
} as const;

export type Filter = keyof typeof FILTERS;

/** Reads a page of the deliveries to an endpoint, newest event first. */
export async function readDeliveries(
  id: string,
  filter: Filter,
  after: string | null,
  signal: AbortSignal,
): Promise<Rows<Row>> {
  const { webhookEndpoint } = await api.query(
    {
      webhookEndpoint: [
        { id },
        {
          deliveries: [
            { first: 25, after, states: FILTERS[filter] },
            { nodes: ROW, pageInfo: PAGE_INFO },
          ],
        },
      ],
    },
    { signal },
  );
  return webhookEndpoint ? rowsOf(webhookEndpoint.deliveries) : { rows: [], cursor: null, hasMore: false };
}

const ATTEMPT = {
  ...{ number: true, startedAt: true, durationMs: true, lookupMs: true, connectMs: true, tlsMs: true },
  ...{ firstByteMs: true, statusCode: true, error: true, replyStart: true, probe: true },
} as const;

const DETAIL = {
  ...{ id: true, state: true, nextAttemptAt: true, expiresAt: true, attempts: ATTEMPT },
  webhookEndpoint: { id: true, url: true },
} as const;

/** A delivery with its attempts. */
export type Detail = Answer<WebhookDelivery, typeof DETAIL>;

/** Reads a delivery with its event. Null after the removal of the event. */
export async function readDelivery(eventId: string, deliveryId: string, signal: AbortSignal) {
  const selection = {
    ...{ id: true, name: true, payload: true },
    target: { type: true, id: true },
    deliveries: DETAIL,
  } as const;
  const { event } = await api.query({ event: [{ id: eventId }, selection] }, { signal });
  const delivery = event?.deliveries.find(({ id }) => id === deliveryId);
  return event && delivery ? { event, delivery } : null;
}

/** Sends an event again. Answers the number of deliveries that were queued. */
export async function resend(
  act: { readonly eventId: string; readonly webhookEndpointId: string },
  idempotencyKey: string,
): Promise<number> {
  const { replayDelivery } = await api.mutate({
    replayDelivery: [{ ...act, idempotencyKey }, { replayJob: { queuedCount: true } }],
  });
  return replayDelivery.replayJob?.queuedCount ?? 0;
}

/** Posts a test event, and waits for the answer. */
export async function sendTest(id: string) {
  const selection = { statusCode: true, error: true, durationMs: true, replyStart: true } as const;
  return (await api.mutate({ sendTestEvent: [{ id }, { attempt: selection }] })).sendTestEvent.attempt;
}

/** Makes a new secret. Null if an earlier answer had it. */
export async function rotate(id: string, overlapMinutes: number, idempotencyKey: string) {
  const { rotateWebhookSecret } = await api.mutate({
    rotateWebhookSecret: [{ id, overlapMinutes, idempotencyKey }, { secret: true }],
  });
  return rotateWebhookSecret.secret;
}

/** Deletes an endpoint. */
export async function deleteEndpoint(id: string): Promise<void> {
  await api.mutate({ deleteWebhookEndpoint: [{ id }, { deletedId: true }] });
}

const JOB = {
  ...{ id: true, scope: true, state: true, queuedCount: true, progress: true, createdAt: true },
} as const;

/** A replay of a span. */
export type Job = Answer<ReplayJob, typeof JOB>;

/** Reads the latest replays to an endpoint. */
export async function readReplays(webhookEndpointId: string, signal: AbortSignal): Promise<readonly Job[]> {
  const { replayJobs } = await api.query(
    { replayJobs: [{ webhookEndpointId, first: 5 }, { nodes: JOB }] },
    { signal },
  );
  return replayJobs.nodes;
}

/** Counts the events of a replay, and sends nothing. */
export async function countReplay(input: ReplayEventsInput): Promise<number> {
  const { replayEvents } = await api.mutate({
    replayEvents: [{ input: { ...input, dryRun: true } }, { dryRunCount: true }],
  });
  return replayEvents.dryRunCount ?? 0;
}

/** Starts a replay. */
export async function startReplay(input: ReplayEventsInput, idempotencyKey: string): Promise<void> {
  await api.mutate({ replayEvents: [{ input, idempotencyKey }, { replayJobId: true }] });
}

/** Ends a replay. Queued deliveries are still delivered. */
export async function cancelReplay(id: string): Promise<void> {
  await api.mutate({ cancelReplayJob: [{ id }, { replayJob: { id: true } }] });
}
