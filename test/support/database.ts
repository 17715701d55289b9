import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The variable in which jest's global setup leaves the server's address for the workers. */
export const SERVER_VARIABLE = 'PAYGRAPH_TEST_SERVER';

/** The migrated, empty database that test databases are copies of. */
export const TEMPLATE = 'paygraph_template';

/** A database for one test. `drop` also ends its remaining connections. */
export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/**
 * Creates a migrated, empty database: no merchant account, no event. Takes some 50 ms, a third of a copy by way of the
 * log. Usually each test file has its own.
 */
export const createTestDatabase = (): Promise<TestDatabase> =>
  create(`TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);

/** Creates a database without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('');

async function create(how: string): Promise<TestDatabase> {
  // oxlint-disable-next-line no-restricted-properties -- written by the global setup
  const server = process.env[SERVER_VARIABLE];
  if (server === undefined) throw new Error('The test server is not running: run tests through npm test.');
  if (!pools.has(server)) openPool(server);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} ${how}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = openPool(url.href);
  return {
    url: url.href,
    drop: async () => {
      pools.delete(url.href);
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
      await pool.end();
    },
  };
}

/**
 * The connections of `query` to the server and to each test database. A new connection costs many times as much as a
 * statement.
 */
const pools = new Map<string, pg.Pool>();

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, allowExitOnIdle: true });
  // The end of the database, or a test, may end an idle connection.
  pool.on('error', () => undefined);
  pools.set(connectionString, pool);
  return pool;
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
