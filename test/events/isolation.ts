import { preparedTexts, type Statement } from '../../src/platform/database/statement.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App, Viewer } from '../../src/app.ts';
import {
  deleteWebhookEndpoint,
  FEED_CHANNEL,
  oldestWaitingEvent,
  startDispatcher,
  startRelay,
} from '../../src/modules/events/index.ts';

import { createListener } from '../../src/platform/feed/listen.ts';
import { query } from '../support/database.ts';
import { HOSTILE_KINDS, startHostile, type HostileKind } from './hostile.ts';
import { pause, recordNamed, startEvents, type EventsHarness } from './harness.ts';
import { PATIENCE } from '../support/patience.ts';

/** The measurements of a run at the endpoints that are healthy in every run. */
export type IsolationRun = {
  /** The deliveries to healthy endpoints, and how many of them arrived. */
  readonly due: number;
  readonly arrived: number;
  /**
   * The time from the creation of a delivery until its arrival. A delivery that never arrived counts up to the end.
   */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Failed attempts at the other endpoints, by the stored cause. */
  readonly failures: Readonly<Record<string, number>>;
};

export type IsolationSettings = {
  /** True if 60 of the 200 endpoints hang. Otherwise they answer like all others. */
  readonly hanging: boolean;
  readonly durationMs: number;
  /** Tells whether something is still to come after the stream. The wait ends after `LATE_MS`. */
  readonly waitsFor?: (run: IsolationRun) => boolean;
  /** Replaces the claim of the dispatcher. */
  readonly claim?: (app: App) => App;
};

const ACCOUNTS = 4;
const ENDPOINTS_EACH = 50;

/** Fifteen of each account, sixty in all: ten of each kind. */
const HANGING_EACH = 15;

/** Events that wait for the hanging endpoints alone at the start, as after an outage: 2400 deliveries in all. */
const BACKLOG_EACH = 40;

/** One event for one of the accounts, in turn: 50 deliveries. */
const EVENT_EVERY_MS = 400;

/** The time for pending deliveries after the end of the stream. */
const TAIL_MS = 3_000;

/** The limit for the rest of a run on a slow machine. */
const LATE_MS = 30_000 * PATIENCE;

/** 200 endpoints of four merchant accounts, with all background work of a process except its dispatcher. */
export type IsolationHarness = {
  /** Sends events to all endpoints for a while, with a new dispatcher and 60 new endpoints. */
  run(settings: IsolationSettings): Promise<IsolationRun>;
  close(): Promise<void>;
};

export async function openIsolation(): Promise<IsolationHarness> {
  const harness = await startEvents();
  // A separate app, as in a separate process, so that recording waits for no connection.
  const api = await harness.another();
  const [receiver, hostile] = await Promise.all([startGood(), startHostile()]);
  const viewers = await Promise.all(Array.from({ length: ACCOUNTS }, () => harness.viewer()));
  const healthy = await createEndpoints({ harness, viewers }, HEALTHY, () => receiver.url);
  const relay = startRelay(harness.app);
  let onFeed = (): void => undefined;
  const channels = { [FEED_CHANNEL]: () => onFeed() };
  const listener = createListener({ url: harness.url, clock: api.clock, log: api.log, channels });
  const record = async (nth: number, name: string): Promise<void> => {
    await api.db.transaction((tx) => recordNamed(api, tx, viewers[nth % ACCOUNTS] as Viewer, name));
    relay.poke();
  };
  const run = async ({ hanging, durationMs, claim, waitsFor }: IsolationSettings): Promise<IsolationRun> => {
    const urlOf = (kind: Kind): string => (hanging ? hostile.url(kind as HostileKind) : receiver.url);
    const others = await createEndpoints({ harness, viewers }, HANGING, urlOf);
    for (let nth = 0; hanging && nth < ACCOUNTS * BACKLOG_EACH; nth += 1) await record(nth, 'refund.pending');
    while ((await oldestWaitingEvent(api)) !== null) await pause(20);

    const since = new Date();
    const dispatcher = startDispatcher(claim?.(harness.app) ?? harness.app);
    onFeed = () => dispatcher.poke();
    const startedAt = performance.now();
    for (let nth = 0; nth * EVENT_EVERY_MS < durationMs; nth += 1) {
      await pause(Math.max(0, startedAt + nth * EVENT_EVERY_MS - performance.now()));
      await record(nth, 'transaction.captured');
    }
    await pause(TAIL_MS);
    const look = () => measure({ url: harness.url, since }, healthy, receiver.arrivals);
    let measured = await look();
    // A slow machine needs more time. A delivery that comes late still counts as late.
    for (const limit = performance.now() + LATE_MS; waitsFor?.(measured) && performance.now() < limit;) {
      await pause(500);
      measured = await look();
    }
    for (const { id, viewer } of others) await deleteWebhookEndpoint(api, viewer, id);
    await dispatcher.stop();
    return measured;
  };
  return {
    run,
    close: async () => {
      await Promise.all([relay.stop(), listener.stop(), hostile.close()]);
      await harness.stop();
      await receiver.close();
    },
  };
}

type Kind = HostileKind | 'healthy';

/** `path` distinguishes the endpoint from others at a shared receiver. */
type Endpoint = { readonly id: string; readonly path: string; readonly viewer: Viewer };

const HANGING: readonly Kind[] = Array.from(
  { length: ACCOUNTS * HANGING_EACH },
  (_, nth) => HOSTILE_KINDS[nth % HOSTILE_KINDS.length] as Kind,
);
const HEALTHY: readonly Kind[] = Array.from(
  { length: ACCOUNTS * (ENDPOINTS_EACH - HANGING_EACH) },
  () => 'healthy',
);

/** Creates an endpoint of each kind, for one account after the other. */
async function createEndpoints(
  { harness, viewers }: { readonly harness: EventsHarness; readonly viewers: readonly Viewer[] },
  kinds: readonly Kind[],
  urlOf: (kind: Kind) => string,
): Promise<readonly Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (const [nth, kind] of kinds.entries()) {
    const path = `${kind}-${nth}`;
    const viewer = viewers[nth % ACCOUNTS] as Viewer;
    const names = kind === 'healthy' ? ['transaction.*'] : ['transaction.*', 'refund.*'];
    const { id } = await harness.endpoint(viewer, urlOf(kind) + path, names);
    endpoints.push({ id, path, viewer });
  }
  return endpoints;
}

type Good = { readonly url: string; readonly arrivals: ReadonlyMap<string, number>; close(): Promise<void> };

/** Starts a receiver that answers at once, and records the first arrival of each event at each path. */
async function startGood(): Promise<Good> {
  const arrivals = new Map<string, number>();
  const server: Server = createServer((request, response) => {
    const key = `${request.url?.slice(1)} ${String(request.headers['webhook-id'])}`;
    if (!arrivals.has(key)) arrivals.set(key, Date.now());
    request.resume().once('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Due = { readonly endpoint_id: string; readonly id: string; readonly created_at: Date };

async function measure(
  { url, since }: { readonly url: string; readonly since: Date },
  healthy: readonly Endpoint[],
  arrivals: Good['arrivals'],
): Promise<IsolationRun> {
  const endedAt = Date.now();
  const paths = new Map(healthy.map(({ id, path }) => [id, path]));
  const [due, failures] = await Promise.all([
    query<Due>(
      url,
      `SELECT d.endpoint_id, e.id, d.created_at FROM delivery d JOIN event e USING (position)
       WHERE d.created_at >= $1 AND d.endpoint_id = ANY ($2)`,
      [since, [...paths.keys()]],
    ),
    query<{ what: string; count: number }>(
      url,
      `SELECT coalesce(error, status_code::text) AS what, count(*)::int FROM delivery_attempt
       WHERE started_at >= $1 AND status_code IS DISTINCT FROM 204 GROUP BY 1 ORDER BY 1`,
      [since],
    ),
  ]);
  const arrivedAt = ({ endpoint_id, id }: Due): number | undefined =>
    arrivals.get(`${paths.get(endpoint_id)} ${id}`);
  const lags = due
    .map((row) => (arrivedAt(row) ?? endedAt) - row.created_at.getTime())
    .sort((one, other) => one - other);
  const quantile = (share: number): number => lags[Math.ceil(share * lags.length) - 1] ?? NaN;
  return {
    due: due.length,
    arrived: due.filter((row) => arrivedAt(row) !== undefined).length,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
    failures: Object.fromEntries(failures.map(({ what, count }) => [what, count])),
  };
}

/** The lowest bound, because the clock of a busy machine is coarse. */
const FLOOR_MS = 150;

/**
 * Checks a run with hanging endpoints. Every healthy delivery must arrive, hardly later than twice the time of a run
 * without hanging endpoints. If that time is at most 125 ms, the bound is 250 ms. A busier machine cannot prove more.
 */
export const isIsolated = (run: IsolationRun, control: IsolationRun): boolean =>
  run.arrived === run.due && run.p99Ms <= Math.max(FLOOR_MS, 2 * control.p99Ms);

/** Wraps an app with the usual claim of queues: the earliest due delivery first, for any endpoint. */
export const claimedByDueTime = (app: App): App => ({
  ...app,
  db: {
    ...app.db,
    query: async <Row>(statement: Statement): Promise<readonly Row[]> => {
      if (statement.name !== 'delivery_claim') return await app.db.query<Row>(statement);
      const rows = await app.db.query<NaiveRow>({
        name: 'delivery_claim_by_due_time',
        text: BY_DUE_TIME,
        values: valuesOf(statement, 'now', 'lease', 'leaseUntil', 'limit'),
      });
      return rows.map(({ endpoint, ...row }) => ({ ...camelCased(endpoint), ...row })) as Row[];
    },
  },
});

/** Returns the values of some parameters of a prepared statement. */
const valuesOf = ({ name, values }: Statement, ...parameters: readonly string[]): readonly unknown[] => {
  const prepared = preparedTexts().find((text) => text.name === name);
  return parameters.map((parameter) => values[prepared?.parameters.indexOf(parameter) ?? -1]);
};

type NaiveRow = { readonly endpoint: Readonly<Record<string, unknown>> };

/** Renames columns as the module names them, so that the replaced claim may return any column. */
const camelCased = (columns: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

const BY_DUE_TIME = `
  WITH chosen AS (
    SELECT endpoint_id, position FROM delivery WHERE state = 'pending' AND next_at <= $1
    ORDER BY next_at, position LIMIT $4 FOR UPDATE SKIP LOCKED),
  leased AS (
    UPDATE delivery d SET state = 'leased', lease = $2, lease_until = $3
    FROM chosen WHERE d.endpoint_id = chosen.endpoint_id AND d.position = chosen.position
    RETURNING d.*)
  SELECT to_jsonb(w) AS endpoint, l.merchant_account_id AS "merchantAccountId", l.endpoint_id AS "endpointId", l.position,
         l.lease, l.attempt, l.created_at AS "windowStart", false AS probe, e.id AS "eventId", f.sequence, e.payload,
         (SELECT json_agg(json_build_object('id', k.id, 'sealed', k.sealed)) FROM webhook_secret k
          WHERE k.merchant_account_id = w.merchant_account_id AND k.endpoint_id = w.id) AS secrets
  FROM leased l JOIN webhook_endpoint w ON w.merchant_account_id = l.merchant_account_id AND w.id = l.endpoint_id
  JOIN event e USING (position) JOIN feed_entry f USING (position)
  ORDER BY l.position`;
