import { settingsThrough } from './pooler.ts';

/** The variable in which jest's global setup names the pooler to the workers: its port, and the server behind it. */
export const POOLER_VARIABLE = 'PAYGRAPH_TEST_POOLER';

/**
 * Returns the settings of a service for a test database. They lead through a pooler when the whole run stands behind one, as with
 * `npm run test:pooler`. A server that a test has started for itself has no pooler.
 */
export function settingsOf(databaseUrl: string): Readonly<Record<string, string>> {
  // oxlint-disable-next-line no-restricted-properties -- the way from jest's setup to its workers
  const [port, host] = process.env[POOLER_VARIABLE]?.split(' ') ?? [];
  if (port === undefined || host !== new URL(databaseUrl).host) return { DATABASE_URL: databaseUrl };
  return settingsThrough(Number(port), databaseUrl);
}
