import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { documented } from '../events/payload-faults.ts';
import { endKept, keepConnections, KEPT } from './kept-connections.ts';
import { ownEvents } from './own-events.ts';
import { END_CONNECTIONS, REMOVE_ROWS, SHAPE } from './wipe.ts';

/** The variable in which jest's global setup leaves the server's address for the workers. */
export const SERVER_VARIABLE = 'PAYGRAPH_TEST_SERVER';

/** The migrated, empty database that test databases are copies of. */
export const TEMPLATE = 'paygraph_template';

/**
 * A database for one test. `drop` gives it back, and ends its remaining connections. `lose` really removes it. Nobody can
 * connect any more.
 */
export type TestDatabase = { readonly url: string; drop(): Promise<void>; lose(): Promise<void> };

/**
 * Returns a migrated, empty database: no merchant account, no event. Usually each test file has its own. A dropped one is
 * wiped and used again, because a copy of the template takes 10 times as long. One with another schema or with many rows
 * is really dropped. The end of a database compares its events with their published schemas.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = serverUrl();
  const free = idle.get(server)?.pop() ?? (await copyTemplate());
  let isDropped = false;
  return {
    url: free.url,
    drop: async () => {
      if (isDropped) return;
      isDropped = true;
      try {
        await checkEvents(free.url);
      } finally {
        await giveBack(server, free);
      }
    },
    lose: async () => {
      isDropped = true;
      await drop(server, free.url);
    },
  };
}

/** Compares every event that the service wrote with its published JSON Schema. Throws at a difference. */
async function checkEvents(url: string): Promise<void> {
  // Statements of tests write empty payloads, or names of their own.
  const rows = await query<{ id: string; payload: string }>(
    url,
    `SELECT id, payload FROM event WHERE name NOT LIKE 'test.%' AND payload <> '{}' ORDER BY position`,
  );
  documented(rows.filter(({ id }) => !ownEvents.has(id)));
}

/** Keeps a wiped database for the next test if it is like a new one. */
async function giveBack(server: string, free: Free): Promise<void> {
  const isLikeNew = await wipe(free).catch(() => false);
  if (isLikeNew) idle.set(server, [...(idle.get(server) ?? []), free]);
  else await drop(server, free.url);
}

/** Returns a migrated, empty database that no test has used. Postgres counts its rows from zero. */
export async function createUnusedDatabase(): Promise<TestDatabase> {
  const { url } = await copyTemplate();
  const lose = (): Promise<void> => drop(serverUrl(), url);
  return { url, drop: lose, lose };
}

/** Creates a database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = serverUrl();
  const url = await create('');
  const lose = (): Promise<void> => drop(server, url);
  return { url, drop: lose, lose };
}

/** A database that is like a new copy of the template, with the shape of one. */
type Free = { readonly url: string; readonly shape: string };

/** The dropped databases for the next tests, by the address of their server. */
const idle = new Map<string, Free[]>();

async function copyTemplate(): Promise<Free> {
  const url = await create(`TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  keepConnections(url, await overSocket(url));
  return { url, shape: await shapeOf(url) };
}

/** Removes everything that a test left. Returns false if the schema is another one. */
async function wipe({ url, shape }: Free): Promise<boolean> {
  await query(url, END_CONNECTIONS, [[HELPER, KEPT]]);
  await query(url, REMOVE_ROWS);
  return (await shapeOf(url)) === shape;
}

async function shapeOf(url: string): Promise<string> {
  const [row] = await query<{ shape: string }>(url, SHAPE);
  return row?.shape ?? '';
}

async function create(how: string): Promise<string> {
  const server = serverUrl();
  if (!pools.has(server)) openPool(server);
  const url = new URL(server);
  url.pathname = `/test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${url.pathname.slice(1)} ${how}`);
  openPool(url.href);
  return url.href;
}

/** Drops a database, and ends its remaining connections. */
async function drop(server: string, url: string): Promise<void> {
  const pool = pools.get(url);
  pools.delete(url);
  await endKept(url);
  await onServer(server, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  await pool?.end();
}

function serverUrl(): string {
  // oxlint-disable-next-line no-restricted-properties -- written by the global setup
  const server = process.env[SERVER_VARIABLE];
  if (server === undefined) throw new Error('The test server is not running: run tests through npm test.');
  return server;
}

/** The name of the connections of this file. */
const HELPER = 'test-helper';

/**
 * The connections of `query` to the server and to each test database. A new connection costs many times as much as a
 * statement.
 */
const pools = new Map<string, pg.Pool>();

function openPool(connectionString: string): void {
  const pool = new pg.Pool({
    connectionString,
    allowExitOnIdle: true,
    idleTimeoutMillis: 0,
    application_name: HELPER,
  });
  // The end of the database, or a test, may end an idle connection.
  pool.on('error', () => undefined);
  pools.set(connectionString, pool);
}

/**
 * Runs one statement beside the connections of the service, and returns its rows. Statements share
 * a few connections, so a statement must not change its session.
 */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const pool = pools.get(url);
  if (pool) return (await pool.query<Row>(statement, [...values])).rows;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(statement, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

/** Runs a statement without a result. */
export async function onServer(url: string, statement: string): Promise<void> {
  await query(url, statement);
}

/**
 * Returns the address of the same database by way of a Unix socket. The kernel does less for a statement there than
 * over TCP.
 */
export async function overSocket(url: string): Promise<string> {
  const [setting] = await query<{ unix_socket_directories: string }>(url, 'SHOW unix_socket_directories');
  const address = new URL(url);
  address.searchParams.set('host', setting?.unix_socket_directories ?? '');
  return address.href;
}
