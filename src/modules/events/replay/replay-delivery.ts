import type { App, Viewer } from '../../../app.ts';
import {
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { createOrRefuse } from '../../idempotency/index.ts';
import { jobFromJson, jobToJson, type ReplayJob } from './jobs/replay-job.ts';
import { DELIVERY_WINDOW_MS } from '../dispatch/schedule.ts';
import { endpointExists } from './jobs/replay-jobs.sql.ts';
import { findMatching, findPlace, queueEvent } from './replay.sql.ts';

export type ReplayRefusal = InvalidInput | NotFound | IdempotencyRefusal;

/** One event queued for some endpoints: a finished job for each. */
export type ReplayedEvent = { readonly replayJobs: readonly ReplayJob[]; readonly replayed: boolean };

/**
 * Sends one event to one endpoint again, or for the first time, whatever its patterns. Commits once: the delivery, due
 * now and for seven days, a finished job, and the record of the idempotency key. A delivery in progress stays
 * unchanged, and the job then has queued nothing.
 */
export async function replayDelivery(
  app: App,
  viewer: Viewer,
  { webhookEndpointId, eventId }: { readonly webhookEndpointId: string; readonly eventId: string },
  idempotencyKey: string | null | undefined,
): Promise<Result<{ readonly replayJob: ReplayJob; readonly replayed: boolean }, ReplayRefusal>> {
  const { merchantAccountId } = viewer;
  const input = { webhookEndpointId: webhookEndpointId.toLowerCase(), eventId: eventId.toLowerCase() };
  const replay = await replayOnce(app, viewer, 'replayDelivery', input, idempotencyKey, async (tx) =>
    (await endpointExists(tx, merchantAccountId, webhookEndpointId))
      ? ok([input.webhookEndpointId])
      : refuse(notFound('webhook endpoint', ['webhookEndpointId'])),
  );
  if (!replay.ok) return replay;
  const { replayJobs, replayed } = replay.value;
  const [replayJob] = replayJobs;
  if (!replayJob) throw new Error('A replay of one delivery without its job');
  return ok({ replayJob, replayed });
}

/** Replays the event to every endpoint whose patterns match it now, perhaps none. */
export const replayEvent = (
  app: App,
  viewer: Viewer,
  eventId: string,
  idempotencyKey: string | null | undefined,
): Promise<Result<ReplayedEvent, ReplayRefusal>> =>
  replayOnce(
    app,
    viewer,
    'replayEvent',
    { eventId: eventId.toLowerCase() },
    idempotencyKey,
    async (tx, place) => ok(await findMatching(tx, viewer.merchantAccountId, place.position)),
  );

type Place = NonNullable<Awaited<ReturnType<typeof findPlace>>>;

async function replayOnce(
  app: App,
  { merchantAccountId }: Viewer,
  operation: string,
  input: { readonly eventId: string },
  key: string | null | undefined,
  choose: (tx: Tx, place: Place) => Promise<Result<readonly string[], NotFound>>,
): Promise<Result<ReplayedEvent, ReplayRefusal>> {
  const now = app.clock.now();
  const once = { merchantAccountId, operation, key, input, now };
  const done = await createOrRefuse(app.db, once, async (tx) => {
    const place = await findPlace(tx, merchantAccountId, input.eventId);
    if (!place) return refuse(notFound('event', ['eventId']));
    const chosen = await choose(tx, place);
    if (!chosen.ok) return chosen;
    const targets = chosen.value.map((endpointId) => ({ endpointId, jobId: app.ids.uuid() }));
    const deadline = new Date(now.getTime() + DELIVERY_WINDOW_MS);
    const queued = await queueEvent(tx, merchantAccountId, place, targets, { now, deadline });
    return ok(
      targets.map(({ endpointId, jobId }) =>
        jobToJson({
          ...{ merchantAccountId, id: jobId, webhookEndpointId: endpointId, scope: 'all', state: 'done' },
          ...{ fromSequence: place.sequence, untilSequence: place.sequence, doneSequence: place.sequence },
          ...{ queuedCount: queued.has(jobId) ? 1 : 0, createdAt: now, endedAt: now },
        }),
      ),
    );
  });
  if (!done.ok) return done;
  const { value, replayed } = done.value;
  return ok({ replayJobs: value.map(jobFromJson), replayed });
}
