import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Where jest's global setup leaves the address of its server for the workers. */
export const SERVER_VARIABLE = 'PAYGRAPH_TEST_SERVER';

/** The migrated, empty database that test databases are copies of. */
export const TEMPLATE = 'paygraph_template';

/** A database of a test's own. `drop` also ends the connections that are left. */
export type TestDatabase = { readonly url: string; drop(): Promise<void> };

/** A migrated, empty database: no merchant account, no event. Takes some 50 ms; one for each test file is usual. */
export const createTestDatabase = (): Promise<TestDatabase> => create(`TEMPLATE ${TEMPLATE}`);

/** A database without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('');

async function create(how: string): Promise<TestDatabase> {
  // eslint-disable-next-line no-restricted-properties -- written by the global setup
  const server = process.env[SERVER_VARIABLE];
  if (server === undefined) throw new Error('The test server is not running: run tests through npm test.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} ${how}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Runs one statement on a connection of its own and answers its rows. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(statement, [...values]).finally(() => client.end());
  return rows;
}

/** The same for a statement that answers nothing. */
export async function onServer(url: string, statement: string): Promise<void> {
  await query(url, statement);
}
