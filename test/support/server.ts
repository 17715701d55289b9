import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from 'graphql-ws';
import { pino } from 'pino';
import WebSocket from 'ws';
import type { App } from '../../src/app.ts';
import { createGraph } from '../../src/graph/graph.ts';
import type { Graph } from '../../src/graph/schema.ts';
import { startHttp, type HttpOptions, type HttpServer } from '../../src/http/server.ts';
import { createApp } from '../../src/main.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from '../../src/modules/accounts/index.ts';
import { FORM } from '../../src/platform/log.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { settingsOf } from './behind-pooler.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { openKept } from './kept-connections.ts';
import { createMint, type Mint } from './mint.ts';
import { sandboxConnectors } from './sandbox-connectors.ts';

export type GraphqlError = {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly [name: string]: unknown };
};

export type GraphqlBody<Data> = { readonly data?: Data | null; readonly errors?: readonly GraphqlError[] };

export type Answer<Data> = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: GraphqlBody<Data>;
};

/** By default the request carries the server's own `token`. With null the request carries none. */
export type AskOptions = {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * A complete service on a free port, with its own database. Background work runs only when a test starts the work.
 */
export type TestServer = {
  readonly url: string;
  readonly app: App;
  /** The merchant account of `token`. Its name is `default`. */
  readonly merchantAccountId: string;
  /** A token with every scope, valid for an hour. */
  readonly token: string;
  /** Signs tokens with an API key that has every right. */
  readonly mint: Mint;
  graphql<Data = Record<string, unknown>>(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: AskOptions,
  ): Promise<Answer<Data>>;
  /** Opens a graphql-ws client that connects once, with the first operation. The caller disposes of the client. */
  socket(options?: AskOptions): Client;
  /** Creates another merchant account, and a token with every scope for this account. */
  createMerchantAccount(): Promise<{ readonly id: string; readonly token: string }>;
  /** Returns the complete log so far. */
  logs(): string;
  readonly http: HttpServer;
  stop(): Promise<void>;
};

/** Parts of the app that the test replaces, and settings by the names of environment variables. */
export type TestServerOptions = Partial<App> & {
  readonly settings?: Readonly<Record<string, string>>;
  readonly checks?: HttpOptions['checks'];
  readonly websocketPingMs?: number;
  readonly timeouts?: HttpOptions['timeouts'];
  readonly lingerMs?: number;
  /** False as on a sandbox that others may reach. */
  readonly sharesToken?: boolean;
  /** The database to start on. By default a new, empty one. The stop drops the database. */
  readonly database?: TestDatabase;
};

/** The graph that all servers of a test file share. */
let graph: Graph | undefined;

/**
 * Starts a service as `npm start` assembles it, with the connectors of the sandbox. Takes some 200 ms with the database.
 */
export async function startTestServer({
  settings,
  checks,
  websocketPingMs,
  timeouts,
  // The clients of tests keep connections, and send nothing more on them.
  lingerMs = 0,
  sharesToken = true,
  database: given,
  ...overrides
}: TestServerOptions = {}): Promise<TestServer> {
  const [database, folder] = await Promise.all([
    given ?? createTestDatabase(),
    mkdtemp(join(tmpdir(), 'paygraph-server-')),
  ]);
  const config = parseConfig({
    PORT: '0',
    ...settingsOf(database.url),
    DATABASE_POOL: '8',
    PAYGRAPH_DATA_DIR: folder,
    // A test file sends in seconds the work of hours. The tests of budgets set their own.
    PAYGRAPH_REQUESTS_PER_SECOND: 'off',
    PAYGRAPH_COST_PER_SECOND: 'off',
    PAYGRAPH_LATE_WORK_MS: 'off',
    PAYGRAPH_FAILED_TOKENS_PER_SECOND: 'off',
    PAYGRAPH_SIGN_INS_PER_MINUTE: 'off',
    // Tests of providers count the calls. The tests of the sweep set their own.
    PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '0',
    // Tests of failing providers ask the same services again. The tests of circuits set their own.
    PAYGRAPH_CIRCUIT_FAILURE_PERCENT: 'off',
    // A busy machine may take seconds for a statement.
    PAYGRAPH_READ_TIMEOUT_MS: '60000',
    ...settings,
  });
  const lines: string[] = [];
  const log = pino({ ...FORM, level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const wired = await createApp(config, { log, connectors: sandboxConnectors, ...overrides }, openKept);
  const { app, late } = wired;
  const mint = await createMint(app);
  const http = await startHttp(app, (graph ??= createGraph()), {
    checks: checks ?? { database: () => isAlive(app) },
    ...(sharesToken && { sandboxToken: () => mint() }),
    websocketPingMs,
    timeouts,
    lingerMs,
  });
  late.address = http.url;
  http.setReady(true);
  const token = await mint();
  return {
    url: http.url,
    app,
    merchantAccountId: DEFAULT_MERCHANT_ACCOUNT,
    token,
    mint,
    graphql: ask(http.url, token),
    socket: (options) => openSocket(http.url, headersOf(token, options)),
    createMerchantAccount: async () => {
      const id = `account-${app.ids.random(6).toString('hex')}`;
      await createAccount(app, id);
      return { id, token: await mint({ merchantAccountId: id }) };
    },
    logs: () => lines.join(''),
    http,
    stop: async () => {
      await http.close();
      await wired.close();
      await Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]);
    },
  };
}

/** Returns a function that sends requests with a token to the server at this address. */
export const ask =
  (url: string, token: string): TestServer['graphql'] =>
  async <Data>(query: string, variables = {}, options: AskOptions = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(token, options) },
      body: JSON.stringify({ query, variables }),
    });
    // The schema guarantees the shape. Each test names the type of its own selection.
    const body = (await response.json()) as GraphqlBody<Data>;
    return { status: response.status, headers: response.headers, body };
  };

/** Opens a graphql-ws client that never reconnects. */
export const openSocket = (url: string, connectionParams: Record<string, string>): Client =>
  createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
  });

/** Returns the headers of a request or the connection parameters of a websocket. */
export function headersOf(
  own: string,
  { token = own, headers = {} }: AskOptions = {},
): Record<string, string> {
  return { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers };
}

async function isAlive({ db }: App): Promise<boolean> {
  await db.query({ name: 'alive', text: 'SELECT 1', values: [] });
  return true;
}

async function createAccount({ db, clock }: App, id: string): Promise<void> {
  const now = clock.now();
  await db.prisma.merchantAccount.create({ data: { id, displayName: id, createdAt: now, updatedAt: now } });
}
