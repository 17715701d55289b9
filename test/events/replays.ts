import { startDispatcher, startReplayer } from '../../src/modules/events/index.ts';
import { envelopeText, type EventFields } from '../../src/modules/event-log/index.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { query } from '../support/database.ts';
import { ownEvents } from '../support/own-events.ts';
import { startTestServer, type GraphqlError, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { until } from './harness.ts';
import { relayAll } from '../support/relay-all.ts';

export type Refused = { readonly code: string; readonly message: string; readonly path: readonly string[] };

export type Delivery = {
  readonly id: string;
  readonly state: string;
  readonly attemptCount: number;
  readonly nextAttemptAt: string | null;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly settledAt: string | null;
  readonly event: { readonly id: string; readonly sequence: number; readonly payload: string };
  readonly webhookEndpoint: { readonly id: string } | null;
  readonly attempts: readonly Attempt[];
};

export type Attempt = {
  readonly number: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly replyStart: string | null;
  readonly probe: boolean;
  readonly durationMs: number;
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly tlsMs: number | null;
};

export type Job = {
  readonly id: string;
  readonly state: string;
  readonly scope: string;
  readonly fromSequence: number;
  readonly untilSequence: number;
  readonly doneSequence: number;
  readonly queuedCount: number;
  readonly totalCount: number;
  readonly progress: number;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly webhookEndpoint: { readonly id: string } | null;
};

export const DELIVERY = `id state attemptCount nextAttemptAt expiresAt createdAt settledAt
  event { id sequence payload } webhookEndpoint { id }
  attempts { number statusCode error replyStart probe durationMs connectMs firstByteMs tlsMs }`;
export const JOB = `id state scope fromSequence untilSequence doneSequence queuedCount totalCount progress createdAt
  endedAt webhookEndpoint { id }`;
const ERRORS = 'userErrors { code message path }';

/** Mutations that replay. */
export const MUTATIONS = {
  delivery: `mutation ($webhookEndpointId: ID!, $eventId: ID!, $key: String) {
    payload: replayDelivery(webhookEndpointId: $webhookEndpointId, eventId: $eventId, idempotencyKey: $key) {
      replayJob { ${JOB} } ${ERRORS} replayed } }`,
  event: `mutation ($eventId: ID!, $key: String) {
    payload: replayEvent(eventId: $eventId, idempotencyKey: $key) { replayJobs { ${JOB} } ${ERRORS} replayed } }`,
  events: `mutation ($input: ReplayEventsInput!, $key: String) {
    payload: replayEvents(input: $input, idempotencyKey: $key) {
      replayJob { ${JOB} } dryRunCount ${ERRORS} replayed } }`,
  cancel: `mutation ($id: ID!) { payload: cancelReplayJob(id: $id) { replayJob { ${JOB} } ${ERRORS} } }`,
} as const;

export type Payload = {
  readonly replayJob: Job | null;
  readonly replayJobs: readonly Job[];
  readonly dryRunCount: number | null;
  readonly userErrors: readonly Refused[];
  readonly replayed: boolean;
};

/** A merchant account that sends requests over HTTP. */
export type Merchant = {
  readonly id: string;
  ask<Data>(document: string, variables?: Readonly<Record<string, unknown>>, token?: string): Promise<Data>;
  /** Returns the errors of a document without data. */
  refused(document: string, variables?: Readonly<Record<string, unknown>>): Promise<readonly GraphqlError[]>;
  replay(mutation: keyof typeof MUTATIONS, variables: Readonly<Record<string, unknown>>): Promise<Payload>;
  /** Creates an endpoint and returns its id. */
  endpoint(url: string, eventNames?: readonly string[]): Promise<string>;
  /** Starts or stops an endpoint. */
  activate(endpointId: string, active: boolean): Promise<unknown>;
  /** Commits an event for each name and relays them to the feed. Returns their ids. */
  record(...names: readonly string[]): Promise<readonly string[]>;
  /** Reads the latest 100 deliveries of an endpoint, newest event first. */
  deliveries(endpointId: string, states?: readonly string[]): Promise<readonly Delivery[]>;
  job(id: string): Promise<Job>;
};

export type Replays = {
  readonly server: TestServer;
  readonly clock: ShiftedClock;
  merchant(): Promise<Merchant>;
  /** Starts the dispatcher and the replayer, until `rest` or `stop`. */
  work(): void;
  rest(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a server with an adjustable clock. The test starts its background work. */
export async function startReplays(settings: Readonly<Record<string, string>> = {}): Promise<Replays> {
  const clock = createShiftedClock();
  const server = await startTestServer({ clock, settings });
  const loops: Loop[] = [];
  const rest = async (): Promise<void> => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  };
  return {
    server,
    clock,
    merchant: () => openMerchant(server),
    work: () => {
      loops.push(startDispatcher(server.app), startReplayer(server.app));
    },
    rest,
    stop: async () => {
      await rest();
      await server.stop();
    },
  };
}

async function openMerchant(server: TestServer): Promise<Merchant> {
  const { id } = await server.createMerchantAccount();
  // Time advances by days, and a token is valid for an hour.
  const token = (): Promise<string> => server.mint({ merchantAccountId: id });
  const send = async <Data>(document: string, variables = {}, given?: string) =>
    (await server.graphql<Data>(document, variables, { token: given ?? (await token()) })).body;
  const ask: Merchant['ask'] = async <Data>(document: string, variables = {}, given?: string) => {
    const { data, errors } = await send<Data>(document, variables, given);
    if (!data || errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  return {
    id,
    ask,
    refused: async (document, variables) => (await send(document, variables)).errors ?? [],
    replay: async (mutation, variables) =>
      (await ask<{ payload: Payload }>(MUTATIONS[mutation], variables)).payload,
    endpoint: async (url, eventNames = []) => {
      const made = await ask<{ createWebhookEndpoint: { webhookEndpoint: { id: string } } }>(
        `mutation ($input: CreateWebhookEndpointInput!) {
          createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { message } } }`,
        { input: { url, eventNames } },
      );
      return made.createWebhookEndpoint.webhookEndpoint.id;
    },
    activate: (endpointId, active) =>
      ask(
        'mutation ($id: ID!, $is: Boolean) { updateWebhookEndpoint(id: $id, input: { active: $is }) { userErrors { code } } }',
        { id: endpointId, is: active },
      ),
    record: (...names) => record(server, id, names),
    deliveries: async (endpointId, states) => {
      const found = await ask<{ webhookEndpoint: { deliveries: { nodes: readonly Delivery[] } } }>(
        `query ($id: ID!, $states: [WebhookDeliveryState!]) {
          webhookEndpoint(id: $id) { deliveries(first: 100, states: $states) { nodes { ${DELIVERY} } } } }`,
        { id: endpointId, states },
      );
      return found.webhookEndpoint.deliveries.nodes;
    },
    job: async (jobId) => {
      const { replayJob } = await ask<{ replayJob: Job }>(
        `query ($id: ID!) { replayJob(id: $id) { ${JOB} } }`,
        { id: jobId },
      );
      return replayJob;
    },
  };
}

async function record(
  { app }: TestServer,
  merchantAccountId: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const events = names.map((name): EventFields => {
    const target = { type: 'test', id: app.ids.uuid() };
    return {
      merchantAccountId,
      id: app.ids.uuid(),
      name,
      createdAt: app.clock.now(),
      production: false,
      target,
    };
  });
  for (const { id } of events) ownEvents.add(id);
  const rows = events.map((event) => ({ ...event, payload: envelopeText(event) }));
  await query(
    app.config.DATABASE_URL ?? '',
    `INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
     SELECT "merchantAccountId", id, name, target->>'type', target->>'id', payload, "createdAt"
     FROM json_to_recordset($1::json) AS g (
       "merchantAccountId" text, id uuid, name text, target json, payload text, "createdAt" timestamptz)`,
    [JSON.stringify(rows)],
  );
  await relayAll(app);
  return events.map(({ id }) => id);
}

/** Waits until a job has ended, and returns the job. */
export async function ended(merchant: Merchant, job: Job | null): Promise<Job> {
  let latest = job;
  await until(async () => {
    latest = await merchant.job(job?.id ?? '');
    return latest.state !== 'RUNNING';
  }, 'the replay');
  if (!latest) throw new Error('There is no job.');
  return latest;
}

/** Waits until every delivery of an endpoint has this state. */
export const allAre = (merchant: Merchant, endpointId: string, state: string): Promise<void> =>
  until(async () => {
    const states = (await merchant.deliveries(endpointId)).map((one) => one.state);
    return states.length > 0 && states.every((each) => each === state);
  }, state);
