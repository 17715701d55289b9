import { longestDeadlineMs } from '../modules/payment-services/index.ts';
import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { App } from '../app.ts';
import { createExecutor } from '../graph/execution/execute.ts';
import type { Graph } from '../graph/schema.ts';
import { startApollo } from './graphql/apollo.ts';
import { serveApproval } from './simulator/approval.ts';
import { createBudgets, type Budgets } from './limits/budgets.ts';
import { serveCatalogue } from './catalogue.ts';
import { serveDashboard } from './dashboard/serve.ts';
import { serveDocs } from './docs/serve.ts';
import { prepareDrain } from './drain.ts';
import { serveExports } from './exports.ts';
import { createLoopTurns, type LoopTurns } from '../platform/fairness/loop-turns.ts';
import { takeTurns } from './take-turns.ts';
import { traceOperation, traceRequests } from './operate/trace-requests.ts';
import { createLoad } from './limits/load.ts';
import { compressAnswers } from './answers/compress.ts';
import { createErrorPresenter } from './answers/errors.ts';
import { createServer, listenOn, type Timeouts } from './create-server.ts';
import { createEventStreams } from './graphql/event-stream.ts';
import { serveGraphql, type GraphqlSettings, type ServedGraph } from './graphql/serve.ts';
import { servePage } from './graphiql/page.ts';
import { createRouterCheck } from './authentication/router-secret.ts';
import { serveApplePayDomain } from './apple-pay-domain.ts';
import { serveKeys } from './authentication/serve-keys.ts';
import { serveInbound } from './inbound.ts';
import { keepAccessLog } from './operate/access-log.ts';
import { measureRequests, serveMetrics } from './operate/metrics.ts';
import { observeBy, observeNothing, type Observe } from './operate/observed.ts';
import { servePaymentPage } from './checkout/serve.ts';
import { serveReadiness, type Check } from './operate/readiness.ts';
import { serveCode } from './checkout/code-page.ts';
import { serveRedirectForm } from './returns/redirect-form.ts';
import { serveRest } from './rest/serve.ts';
import { serveReturn } from './returns/return.ts';
import { serveProviderPage } from './simulator/provider-page.ts';
import { serveCompletion } from './returns/completion.ts';
import { serveSessions } from './returns/session.ts';
import { serveSubgraphs } from './graphql/subgraphs.ts';
import { createConnectionLimits } from './operations/connection-limits.ts';
import { createOperations } from './operations/operations.ts';
import type { Endpoint } from './websocket/connection.ts';
import { openWebsockets } from './websocket/serve.ts';

export type HttpOptions = {
  /** The checks behind `/ready`, by name. A check that throws, or takes over two seconds, fails. */
  readonly checks: Readonly<Record<string, Check>>;
  /** Creates a token for the page at `/`. Without this function, the page asks for a token. Ignored in production. */
  readonly sandboxToken?: () => Promise<string>;
  /** The time for headers and for a whole request, for tests. */
  readonly timeouts?: Timeouts | undefined;
  /** The time between two pings of a websocket, for tests. */
  readonly websocketPingMs?: number | undefined;
  /** The time in which the end leaves idle connections open, for tests. */
  readonly lingerMs?: number | undefined;
};

export type HttpServer = {
  /** The address of the server, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** False at first: `/ready` answers 503 until the rest of the service runs too. */
  setReady(ready: boolean): void;
  /** Waits until the provider's webhooks answered so far are applied, or postponed. */
  webhooksApplied(): Promise<void>;
  /**
   * Drains the server: accepts no new work, closes websockets with a code after which clients reconnect. Resolves when
   * the current requests are answered, at the latest five seconds after a provider's deadline.
   */
  close(): Promise<void>;
};

const NOTHING_HERE = 'Nothing is served here. GraphQL is at /graphql, and /openapi describes the REST paths.';

/** Serves the graph and its pages on the configured address. Rejects when the address cannot be listened on. */
export async function startHttp(app: App, graph: Graph, options: HttpOptions): Promise<HttpServer> {
  const turns = createLoopTurns();
  const server = createServer(app, { nothingHere: NOTHING_HERE, timeouts: options.timeouts });
  compressAnswers(server);
  takeTurns(server, turns);
  traceRequests(server, app.config);
  let countSockets = () => 0;
  const budgets = createBudgets(app.config, createLoad(app, turns));
  const access = keepAccessLog(server, app);
  const measure = app.config.PAYGRAPH_METRICS
    ? measureRequests(server, serveMetrics(server, app), { budgets, countSockets: () => countSockets() })
    : observeNothing;
  const observe = observeBy(observeBy(measure, access.observe), traceOperation);
  const { whole, subgraphs } = await startGraphs(app, graph, { observe, budgets, turns });
  const limits = createConnectionLimits();
  const streams = createEventStreams({ app, limits, pingMs: options.websocketPingMs });
  const readiness = serveReadiness(server, options.checks);
  const endpoints = serveGraphs(server, app, { whole, subgraphs, budgets, streams });
  serveDashboard(server, app, options.sandboxToken !== undefined && !app.config.production);
  const isAlone = app.config.PAYGRAPH_DASHBOARD === 'alone';
  const webhooksApplied = isAlone ? async () => undefined : serveInbound(server, app);
  if (!isAlone) {
    servePages(server, app);
    serveRest(server, { app, graph, observe, budgets });
  }
  if (app.config.production || isAlone) serveAddresses(server, app);
  else servePage(server, app, options.sandboxToken);
  const drain = prepareDrain(server, options.lingerMs);
  // A payment in progress must not lose its caller.
  const drainMs = longestDeadlineMs(app) + 5_000;
  const { url, port } = await listenOn(server, app.config);
  const websockets = openWebsockets({
    ...{ app, server: server.server, port, limits, turns, endpoints },
    connected: access.connected,
    pingMs: options.websocketPingMs,
  });
  countSockets = () => websockets.count();
  return {
    ...{ url, port },
    setReady: (ready) => readiness.set(ready),
    webhooksApplied,
    close: async () => {
      readiness.set(false);
      const deadline = setTimeout(() => server.server.closeAllConnections(), drainMs);
      streams.close();
      await Promise.all([websockets.close(), drain()]);
      clearTimeout(deadline);
      await Promise.all([whole, ...subgraphs.values()].map(({ apollo }) => apollo.stop()));
    },
  };
}

/** The parts that all graphs of a server use. */
type Shared = { readonly observe: Observe; readonly budgets: Budgets; readonly turns: LoopTurns };

type Graphs = {
  readonly whole: ServedGraph;
  /** Empty unless subgraphs are configured. */
  readonly subgraphs: ReadonlyMap<string, ServedGraph>;
};

async function startGraphs(app: App, graph: Graph, { observe, budgets, turns }: Shared): Promise<Graphs> {
  const present = createErrorPresenter(app);
  const start = async (schema: GraphQLSchema, csrfPrevention: boolean): Promise<ServedGraph> => {
    const executor = createExecutor(schema, app.config.PAYGRAPH_EXECUTOR);
    const served = await startApollo({ app, schema, executor, present, observe, csrfPrevention });
    return {
      ...served,
      operations: createOperations({ schema, executor, present, observe, budgets, turns }),
    };
  };
  const subgraphs = new Map<string, ServedGraph>();
  if (app.config.PAYGRAPH_SUBGRAPHS) {
    const served = graph.subgraphs({ publishesScopes: app.config.PAYGRAPH_SUBGRAPH_SCOPES });
    for (const [name, schema] of served) subgraphs.set(name, await start(schema, false));
  }
  return { whole: await start(graph.schema, true), subgraphs };
}

/** Serves the graphs over HTTP. Returns the endpoints of their websockets by path. */
function serveGraphs(
  server: FastifyInstance,
  app: App,
  { whole, subgraphs, budgets, streams }: Graphs & Pick<GraphqlSettings, 'budgets' | 'streams'>,
): ReadonlyMap<string, Endpoint> {
  serveGraphql(server, app, { graph: whole, budgets, streams });
  const endpoints = new Map<string, Endpoint>([
    ['/graphql', { operations: whole.operations, isRouter: null }],
  ]);
  if (subgraphs.size === 0) return endpoints;
  const isRouter = createRouterCheck(app.config);
  serveSubgraphs(server, app, { subgraphs, isRouter, budgets, streams });
  serveKeys(server, app);
  for (const [name, { operations }] of subgraphs)
    endpoints.set(`/subgraphs/${name}`, { operations, isRouter });
  return endpoints;
}

/** Serves the pages of buyers, files and documents. */
function servePages(server: FastifyInstance, app: App): void {
  serveApproval(server, app);
  serveSessions(server, app);
  serveCompletion(server, app);
  serveReturn(server, app);
  serveRedirectForm(server, app);
  serveCode(server, app);
  serveExports(server, app);
  if (!app.config.production) serveProviderPage(server, app);
  servePaymentPage(server, app);
  serveApplePayDomain(server, app.config);
  serveDocs(server);
  serveCatalogue(server, app);
}

/** Lists the addresses. Production has no page at `/`. */
function serveAddresses(server: FastifyInstance, app: App): void {
  server.get('/', async () => {
    const graphql = `${app.publicUrl}/graphql`;
    return {
      name: 'Paygraph',
      graphql,
      websocket: graphql.replace(/^http/, 'ws'),
      ready: `${app.publicUrl}/ready`,
    };
  });
}
