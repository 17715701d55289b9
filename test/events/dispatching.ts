import type { App, Viewer } from '../../src/app.ts';
import { oldestWaitingEvent, startDispatcher, startRelay } from '../../src/modules/events/index.ts';
import { createHttpClient, SANDBOX_NETWORKS, type HttpClient } from '../../src/platform/http/http-client.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { query } from '../support/database.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { deliveriesWithAttempts } from './deliveries-with-attempts.ts';
import { startEvents, until, type EventsHarness } from './harness.ts';
import { documented } from './payload-faults.ts';

/** The events module with an adjustable clock, a relay, and dispatchers that a test starts. */
export type Dispatching = {
  readonly harness: EventsHarness;
  readonly clock: ShiftedClock;
  dispatch(app?: App): Loop;
  /** Commits an event for each name and waits for the creation of its deliveries. */
  record(viewer: Viewer, ...names: readonly string[]): Promise<void>;
  /** Advances the clock and wakes the dispatchers. */
  advance(ms: number): void;
  /** Advances the clock, wakes the dispatchers, and waits for the stored results of the next attempts. */
  advanceToReport(ms: number): Promise<void>;
  nextReport(): Promise<void>;
  /** Creates deliveries without the relay, due at once. */
  seedWaiting(viewer: Viewer, endpointId: string, count: number): Promise<void>;
  endpoint(id: string): ReturnType<typeof endpointRow>;
  deliveries(endpointId: string): ReturnType<typeof deliveriesWithAttempts>;
  /** Counts the endpoint's deliveries by state. */
  states(endpointId: string): Promise<Readonly<Record<string, number>>>;
  /** Reads the health events of a merchant account, parsed. */
  healthEvents(viewer: Viewer): Promise<readonly HealthEvent[]>;
  /** Stops the dispatchers and leaves nothing of one test to the next. */
  clear(): Promise<void>;
  stop(): Promise<void>;
};

export type HealthEvent = { readonly name: string; readonly target: Readonly<Record<string, unknown>> };

export async function startDispatching(): Promise<Dispatching> {
  const clock = createShiftedClock();
  const http: HttpClient = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const reports = createSignal();
  const harness = await startEvents({ clock, http });
  const app = reportingTo(harness.app, reports.raise);
  const relay = startRelay(app);
  const running: Loop[] = [];
  const advance = (ms: number): void => {
    clock.advance(ms);
    running.forEach((loop) => loop.poke());
  };
  return {
    harness,
    clock,
    dispatch: (another = app) => {
      const loop = startDispatcher(another);
      running.push(loop);
      return loop;
    },
    record: async (viewer, ...names) => {
      await harness.record(viewer, ...names);
      relay.poke();
      await until(async () => (await oldestWaitingEvent(app)) === null, 'the relay');
      running.forEach((loop) => loop.poke());
    },
    advance,
    advanceToReport: async (ms) => {
      const reported = reports.next();
      advance(ms);
      await reported;
    },
    nextReport: () => reports.next(),
    seedWaiting: (viewer, endpointId, count) =>
      seedWaiting(harness.url, viewer, endpointId, count, clock.now()),
    endpoint: (id) => endpointRow(app, id),
    deliveries: (endpointId) => deliveriesWithAttempts(app, endpointId),
    states: async (endpointId) => {
      const groups = await app.db.prisma.delivery.groupBy({
        by: 'state',
        where: { endpointId },
        _count: true,
      });
      return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]));
    },
    healthEvents: async (viewer) => {
      const rows = await app.db.prisma.event.findMany({
        where: { merchantAccountId: viewer.merchantAccountId, targetType: 'webhook-endpoint' },
        orderBy: { position: 'asc' },
      });
      return documented(rows).map(({ payload }) => JSON.parse(payload) as HealthEvent);
    },
    clear: async () => {
      await Promise.all(running.splice(0).map((loop) => loop.stop()));
      await app.db.prisma.webhookEndpoint.updateMany({ data: { deletedAt: clock.now() } });
    },
    stop: async () => {
      await relay.stop();
      await harness.stop();
    },
  };
}

const endpointRow = ({ db }: App, id: string) =>
  db.prisma.webhookEndpoint.findFirstOrThrow({ where: { id } });

/** Wraps an app so that a callback hears of each stored report. */
const reportingTo = (app: App, reported: () => void): App => ({
  ...app,
  db: {
    ...app.db,
    query: async (statement) => {
      const rows = await app.db.query<never>(statement);
      if (statement.name === 'delivery_settle') reported();
      return rows;
    },
  },
});

function createSignal(): { readonly raise: () => void; readonly next: () => Promise<void> } {
  let waiting: (() => void)[] = [];
  return {
    raise: () => waiting.splice(0).forEach((resolve) => resolve()),
    next: () => new Promise((resolve) => void (waiting = [...waiting, resolve])),
  };
}

async function seedWaiting(
  url: string,
  { merchantAccountId }: Viewer,
  endpointId: string,
  count: number,
  now: Date,
): Promise<void> {
  await query(
    url,
    `WITH made AS (
       INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
       SELECT $1, gen_random_uuid(), 'test.seeded', 'transaction', nth::text, '{"type":"event"}', $4
       FROM generate_series(1, $3::int) nth RETURNING position),
     fed AS (
       INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
       SELECT $1, 1000000 + position, position, $4 FROM made)
     INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
     SELECT $1, $2, position, $4, $4::timestamptz + interval '7 days', $4 FROM made`,
    [merchantAccountId, endpointId, count, now],
  );
}
