import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The variable in which jest's global setup leaves the server's address for the workers. */
export const SERVER_VARIABLE = 'PAYGRAPH_TEST_SERVER';

/** The migrated, empty database that test databases are copies of. */
export const TEMPLATE = 'paygraph_template';

/** A database for one test. `drop` also ends its remaining connections. */
export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/**
 * Creates a migrated, empty database: no merchant account, no event. Takes some 50 ms. Usually each test file has its
 * own.
 */
export const createTestDatabase = (): Promise<TestDatabase> => create(`TEMPLATE ${TEMPLATE}`);

/** Creates a database without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('');

async function create(how: string): Promise<TestDatabase> {
  // oxlint-disable-next-line no-restricted-properties -- written by the global setup
  const server = process.env[SERVER_VARIABLE];
  if (server === undefined) throw new Error('The test server is not running: run tests through npm test.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} ${how}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Runs one statement on a separate connection and returns its rows. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
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
