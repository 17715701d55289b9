import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { refuseKey, createOrRefuse } from '../../idempotency/index.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { ReplayRefusal } from './replay-delivery.ts';
import { jobFromJson, jobToJson, REPLAY_SCOPES, type ReplayJob } from './jobs/replay-job.ts';
import { endpointExists, insertJob } from './jobs/replay-jobs.sql.ts';
import { countInScope, findRange, type ReplayRange } from './replay-range.sql.ts';

export type ReplayEventsInput = {
  readonly webhookEndpointId: string;
  readonly scope: ReplayJob['scope'];
  readonly from?: Date | null | undefined;
  readonly until?: Date | null | undefined;
  readonly dryRun?: boolean | null | undefined;
};

/** A started job, or the result of a dry run. */
export type ReplayedEvents = {
  /** Null for a dry run. */
  readonly replayJob: ReplayJob | null;
  /** The number of deliveries that a dry run would queue. Null without a dry run. */
  readonly dryRunCount: number | null;
  readonly replayed: boolean;
};

/**
 * Starts a job that queues a range of the feed for an endpoint. The worker does the rest. Commits once: the job and the
 * record of the idempotency key. A dry run counts, stores nothing and uses no key.
 *
 * Refuses a range with removed events, and an eleventh running job of one endpoint.
 */
export async function replayEvents(
  app: App,
  viewer: Viewer,
  given: ReplayEventsInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<ReplayedEvents, ReplayRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const parsed = parseInput(replayInput, given);
  if (!parsed.ok) return parsed;
  const { dryRun, ...input } = parsed.value;
  if (dryRun) return await countDryRun(app, viewer, input);
  const { merchantAccountId } = viewer;
  const now = app.clock.now();
  const once = { merchantAccountId, operation: 'replayEvents', key: idempotencyKey, input: { input }, now };
  const created = await createOrRefuse(app.db, once, async (tx) => {
    const range = await rangeOf(tx, viewer, input);
    if (!range.ok) return range;
    const { fromSequence, untilSequence } = range.value;
    const empty = untilSequence < fromSequence;
    const job: ReplayJob = {
      ...{ merchantAccountId, id: app.ids.uuid(), webhookEndpointId: input.webhookEndpointId },
      ...{ scope: input.scope, fromSequence, untilSequence, doneSequence: fromSequence - 1n, queuedCount: 0 },
      ...{ state: empty ? 'done' : 'running', createdAt: now, endedAt: empty ? now : null },
    };
    return (await insertJob(tx, job, RUNNING_MAX)) ? ok(jobToJson(job)) : refuse(tooMany());
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({ replayJob: jobFromJson(value), dryRunCount: null, replayed });
}

const replayInput = z
  .object({
    webhookEndpointId: z.string().transform((id) => id.toLowerCase()),
    scope: z.enum(REPLAY_SCOPES),
    from: z.date().nullish(),
    until: z.date().nullish(),
    dryRun: z.boolean().nullish(),
  })
  .refine(({ from, until }) => !from || !until || from <= until, {
    path: ['until'],
    message: 'Must not be before from.',
  });

/** The most running jobs of one endpoint. Jobs take turns, so more would only wait. */
const RUNNING_MAX = 10;

const tooMany = (): InvalidInput =>
  invalidInput(
    ['input', 'webhookEndpointId'],
    `${RUNNING_MAX} replays of this webhook endpoint are running. Wait until one has ended, or cancel one.`,
  );

type Requested = Omit<z.output<typeof replayInput>, 'dryRun'>;

async function rangeOf(
  tx: Tx,
  { merchantAccountId }: Viewer,
  { webhookEndpointId, from, until }: Requested,
): Promise<Result<ReplayRange, InvalidInput | NotFound>> {
  if (!(await endpointExists(tx, merchantAccountId, webhookEndpointId))) {
    return refuse(notFound('webhook endpoint', ['input', 'webhookEndpointId']));
  }
  const found = await findRange(tx, merchantAccountId, { from: from ?? null, until: until ?? null });
  const { retainedSince } = found;
  if (!from || !retainedSince || from >= retainedSince) return ok(found);
  return refuse(
    invalidInput(
      ['input', 'from'],
      `Events before ${retainedSince.toISOString()} have been removed. Give this moment or a later one, or omit from to replay all kept events.`,
    ),
  );
}

/** The number of events that one statement of a dry run reads: some 50 ms of work. */
const COUNT_SCAN = 10_000n;

/** The most events that a dry run reads, in some seconds. */
const COUNT_MAX = 1_000_000n;

async function countDryRun(
  app: App,
  viewer: Viewer,
  input: Requested,
): Promise<Result<ReplayedEvents, InvalidInput | NotFound>> {
  const range = await app.db.transaction((tx) => rangeOf(tx, viewer, input));
  if (!range.ok) return range;
  const { fromSequence, untilSequence } = range.value;
  if (untilSequence - fromSequence >= COUNT_MAX) {
    return refuse(
      invalidInput(
        ['input', 'dryRun'],
        `A dry run counts at most ${COUNT_MAX} events: give a shorter range.`,
      ),
    );
  }
  const { webhookEndpointId: endpointId, scope } = input;
  let dryRunCount = 0;
  for (let after = fromSequence - 1n; after < untilSequence; after += COUNT_SCAN) {
    const until = after + COUNT_SCAN < untilSequence ? after + COUNT_SCAN : untilSequence;
    const part = { endpointId, scope, after, until };
    dryRunCount += await countInScope(app.db, viewer.merchantAccountId, part);
  }
  return ok({ replayJob: null, dryRunCount, replayed: false });
}
