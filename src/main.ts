import { createAccessTokenStore } from './connectors/calls/access-token-store.ts';
import { createWebhookMaterial } from './connectors/reading/webhook-material.ts';
import { actingAs } from './platform/database/acting.ts';
import type { App } from './app.ts';
import { createGraph } from './graph/graph.ts';
import { readinessChecks } from './http/operate/readiness-checks.ts';
import { startHttp, type HttpServer } from './http/server.ts';
import { startWorkerHttp } from './http/worker-server.ts';
import { startAuditChain, startAuditRetention } from './modules/audit/index.ts';
import {
  createFeedTail,
  openFeedPages,
  createRelayHint,
  FEED_CHANNEL,
  keepPartitions,
  PENDING_CHANNEL,
  startFeedCheck,
  startDispatcher,
  startOutlets,
  startPartitions,
  startRelay,
  startRetention,
  startReplayer,
} from './modules/events/index.ts';
import { startExportRetention, startExportWriter } from './modules/exports/index.ts';
import { startRoutingFigures } from './modules/routing-figures/index.ts';
import { startRoutingSimulator } from './modules/routing-simulations/index.ts';
import { startKeySweeper } from './modules/idempotency/index.ts';
import { startPresentedCardSweeper, startTokenDigester } from './modules/payment-methods/index.ts';
import { startPaymentLinkSweeper } from './modules/payment-links/index.ts';
import { startDisputeResponder } from './modules/disputes/index.ts';
import { recordPackages, SERVICES_CHANNEL } from './modules/payment-services/index.ts';
import { startReportProjector } from './modules/reports/index.ts';
import { startSettlementFetcher } from './modules/settlements/index.ts';
import {
  startApprovalSweeper,
  startBooksSweep,
  startLineTeller,
  startFraudReports,
  startInbound,
  startLookUps,
  startReconciler,
  startRefundApprovals,
  startRetryPlans,
  startUnreadRetention,
  tellUnserved,
} from './modules/transactions/index.ts';
import { countChanges } from './platform/input/changes.ts';
import { systemClock } from './platform/clock.ts';
import { directUrl, type Config } from './platform/process/config.ts';
import { openDataFolder } from './platform/process/data-folder.ts';
import { openDb } from './platform/database/db.ts';
import { openReplicas } from './platform/connections/replicas.ts';
import { openPools, requirePools } from './platform/connections/pools.ts';
import { registerFailpoints } from './platform/failpoint.ts';
import { createHttpClient, SANDBOX_NETWORKS } from './platform/http/http-client.ts';
import { systemIds } from './platform/ids.ts';
import { claimInstallation } from './platform/database/installation-facts.ts';
import { createListener } from './platform/feed/listen.ts';
import { createLog } from './platform/log.ts';
import { migrate } from './platform/migrate/migrate.ts';
import { addressError, requireFreeAddress, sharesToken } from './platform/process/own-address.ts';
import { openEmbedded } from './platform/postgres/embedded.ts';
import { silentProgress, type Progress } from './platform/process/progress.ts';
import { openKeyProvider } from './platform/vault/master-key/open-keys.ts';
import { startTracing } from './platform/tracing/start-tracing.ts';
import { createVault } from './platform/vault/vault.ts';
import { openConnectors } from './open-connectors.ts';
import { provisionSandbox, type Sandbox } from './provision.ts';

/** A running service. */
export type Service = {
  readonly app: App;
  /**
   * The address that the service listens on, without a slash at the end. Without the role `api`, it has the probes and the
   * metrics alone.
   */
  readonly url: string;
  /** Null in production. */
  readonly sandbox: Sandbox | null;
  /**
   * Drains the service: refuses new work, finishes running requests, and closes sockets with a code on which clients
   * reconnect. Then ends the background work after its current round, and an embedded Postgres without other users.
   */
  stop(): Promise<void>;
};

export type ServiceOptions = { readonly progress?: Progress; readonly overrides?: Partial<App> };

type Stop = () => Promise<void>;

type Listening = Pick<HttpServer, 'url' | 'setReady' | 'close'>;

/**
 * Starts the service from the database up. The service is ready when the promise resolves. Several processes may start
 * on one database at once.
 *
 * Throws an OperatorError for an error that the operator can correct, and then leaves nothing running.
 */
export async function startService(given: Config, options: ServiceOptions = {}): Promise<Service> {
  const { progress = silentProgress, overrides = {} } = options;
  const stops: Stop[] = [];
  const stop: Stop = async () => {
    // A failed stop must not leave the rest running, least of all the database.
    const failures: unknown[] = [];
    for (const each of stops.splice(0).reverse())
      await each().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    await requireFreeAddress(given);
    stops.push(await startTracing(given, systemIds.uuid()));
    const { config, url } = await requireDatabase(given, progress, stops);
    await migrate(url, { progress });
    const wired = await createApp(config, overrides);
    const { app, late } = wired;
    stops.push(() => wired.close());
    await requirePools(app, config);
    await claimInstallation(app.db, config.production, app.clock.now());
    await tellUnserved(app);
    await recordPackages(
      working(app, 'connector packages'),
      app.connectors.flatMap((each) => each.definitions),
    );
    if (config.PAYGRAPH_ROLES.includes('worker')) await keepPartitions(app);
    const sandbox = config.production ? null : await provisionSandbox(working(app, 'sandbox'), url);
    const http = await listen(app, sandbox);
    const isApi = config.PAYGRAPH_ROLES.includes('api');
    if (isApi) late.address = http.url;
    const close: Stop = () => http.close();
    const stopWork = startBackground(app, late, url);
    // Stops in the opposite order: first new work, then running work, then the database and the app. A worker tells of
    // itself until its work has ended.
    stops.push(...(isApi ? [stopWork, close] : [close, stopWork, async () => http.setReady(false)]));
    http.setReady(true);
    return { app, url: http.url, sandbox, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** The values that are known only after the parts that receive the app have started. */
type Late = { address: string; wakeRelay: () => void; wakePaymentLinks: () => void };

export type WiredApp = { readonly app: App; readonly late: Late; close(): Promise<void> };

/**
 * Wires the dependencies of all operations. The configuration must name a database. The first statement connects to it.
 *
 * `overrides` are for tests and simulations: a clock, ids or connectors. Connections from another `open` may stay open after
 * `close`.
 */
export async function createApp(
  config: Config,
  overrides: Partial<App> = {},
  open = openDb,
): Promise<WiredApp> {
  registerFailpoints(config.PAYGRAPH_FAILPOINTS);
  const { clock = systemClock, ids = systemIds, log = createLog(config.LOG_LEVEL) } = overrides;
  if (!config.production) await openDataFolder(config.PAYGRAPH_DATA_DIR);
  const registry = await openConnectors(config, log);
  const keys = await openKeyProvider(config, ids);
  const http = createHttpClient({
    allowedNetworks: [...config.PAYGRAPH_ALLOWED_NETWORKS, ...(config.production ? [] : SANDBOX_NETWORKS)],
    allowInsecureHttp: !config.production,
  });
  const { db, readDb } = openPools(config, overrides, open);
  const replicas = openReplicas({ config, db, readDb, clock, log, open });
  const feedTail = createFeedTail({ db, clock, log });
  const late: Late = {
    address: `http://${config.HOST}:${config.PORT}`,
    wakeRelay: () => undefined,
    wakePaymentLinks: () => undefined,
  };
  const app: App = {
    config,
    db,
    readDb,
    replicas,
    clock,
    ids,
    log,
    vault: createVault({ db, keys, ids, clock }),
    http,
    accessTokens: createAccessTokenStore(clock),
    webhookMaterial: createWebhookMaterial(http, clock),
    ...registry,
    serviceChanges: countChanges(),
    feedTail,
    feedPages: openFeedPages({ readDb, config }),
    wakeRelay: () => late.wakeRelay(),
    wakePaymentLinks: () => late.wakePaymentLinks(),
    ...overrides,
    get publicUrl() {
      return (config.PAYGRAPH_PUBLIC_URL ?? late.address).replace(/\/$/, '');
    },
  };
  const close: Stop = async () => {
    await feedTail.stop();
    http.close();
    await replicas?.close();
    await Promise.all([db.close(), readDb.close()]);
  };
  return { app, late, close };
}

/** Returns the configured database, or starts the embedded one. The address passes a pooler by. */
async function requireDatabase(config: Config, progress: Progress, stops: Stop[]) {
  const url = directUrl(config);
  if (url !== undefined) return { config, url };
  const embedded = await openEmbedded(config.PAYGRAPH_DATA_DIR, progress);
  stops.push(() => embedded.close());
  return { config: { ...config, DATABASE_URL: embedded.url }, url: embedded.url };
}

/**
 * Starts the background loops if the process has the role `worker`. Starts the listener for the work and the changes of
 * other processes in every role.
 */
function startBackground(app: App, late: Late, url: string): Stop {
  const { clock, log, feedTail } = app;
  const works = app.config.PAYGRAPH_ROLES.includes('worker');
  const relay = works ? startRelay(app) : null;
  const dispatcher = works ? startDispatcher(working(app, 'webhooks')) : null;
  const paymentLinks = works ? startPaymentLinkSweeper(working(app, 'payment links')) : null;
  const keepers = works
    ? [
        ...[startFeedCheck, startPartitions, startRetention, startInbound].map((start) => start(app)),
        startReplayer(working(app, 'replays')),
        startReconciler(working(app, 'reconciliation')),
        startApprovalSweeper(working(app, 'approvals')),
        startRefundApprovals(working(app, 'refund approvals')),
        startRetryPlans(working(app, 'retry plans')),
        startKeySweeper(app),
        startDisputeResponder(working(app, 'disputes')),
        startSettlementFetcher(working(app, 'settlements')),
        startBooksSweep(working(app, 'books')),
        startLookUps(working(app, 'look-ups')),
        startUnreadRetention(working(app, 'unread webhooks')),
        startLineTeller(working(app, 'settlement lines')),
        startFraudReports(working(app, 'fraud reports')),
        startExportWriter(working(app, 'exports')),
        startRoutingSimulator(working(app, 'routing simulations')),
        startRoutingFigures(working(app, 'routing figures')),
        startExportRetention(working(app, 'exports')),
        ...[startReportProjector, startPresentedCardSweeper, startTokenDigester].map((start) => start(app)),
        ...[startAuditChain, startAuditRetention, startOutlets].map((start) => start(app)),
      ]
    : [];
  late.wakePaymentLinks = () => paymentLinks?.poke();
  late.wakeRelay = relay ? () => relay.poke() : createRelayHint(app);
  const onFeed = (): void => {
    feedTail.poke();
    dispatcher?.poke();
  };
  const channels = {
    [FEED_CHANNEL]: onFeed,
    [SERVICES_CHANNEL]: () => app.serviceChanges.note(),
    ...(relay && { [PENDING_CHANNEL]: () => relay.poke() }),
  };
  const listener = createListener({ url, clock, log, channels });
  return async () => {
    await Promise.all(
      [listener, relay, dispatcher, paymentLinks, ...keepers].map(async (each) => each?.stop()),
    );
  };
}

/** Names background work in the audit log. */
const working = (app: App, id: string): App => actingAs(app, { kind: 'system', id });

/** Serves the graph, or the probes and metrics alone in a process without the role `api`. */
async function listen(app: App, sandbox: Sandbox | null): Promise<Listening> {
  const checks = readinessChecks(app);
  try {
    if (!app.config.PAYGRAPH_ROLES.includes('api')) return await startWorkerHttp(app, checks);
    return await startHttp(app, createGraph(), {
      checks,
      ...(sandbox && sharesToken(app.config) && { sandboxToken: () => sandbox.token() }),
    });
  } catch (error) {
    throw addressError(app.config, error);
  }
}
