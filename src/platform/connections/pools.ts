import type { Config } from '../process/config.ts';
import { errorCode } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';
import { PLANS, readsWithin } from '../postgres/connection-settings.ts';
import { findLostSettings } from './lost-settings.ts';
import { openDb, type Db } from '../database/db.ts';
import { requireNamedStatements } from './named-statements.ts';

/** The connections of a process: for all work, and for reads alone. */
export type Pools = { readonly db: Db; readonly readDb: Db };

/** Opens the connections of a configuration that names a database. The first statement connects. */
export function openPools(config: Config, given: Partial<Pools>, open = openDb): Pools {
  const { DATABASE_URL: url, DATABASE_READ_URL: readUrl = url } = config;
  if (url === undefined || readUrl === undefined) throw new Error('The configuration names no database.');
  // A pooler takes no settings of a connection. Its roles have them.
  const pooled = config.DATABASE_DIRECT_URL !== undefined;
  const db = open({ url, connectionMax: config.DATABASE_POOL, applicationName: 'paygraph', pooled });
  const readDb =
    given.readDb ??
    given.db ??
    open({
      url: readUrl,
      connectionMax: config.DATABASE_READ_POOL,
      applicationName: 'paygraph reads',
      readTimeoutMs: config.PAYGRAPH_READ_TIMEOUT_MS,
      pooled,
    });
  return { db, readDb };
}

/**
 * Checks that the connections can do the work of Paygraph. Changes nothing. Throws an OperatorError when a pooler dropped the
 * settings of connections, or cannot name statements.
 *
 * Without the settings payments would still work. But lists would scan whole tables, and no statement would time out.
 */
export async function requirePools({ db, readDb }: Pools, config: Config): Promise<void> {
  const { DATABASE_DIRECT_URL: direct, DATABASE_URL: url } = config;
  const reads = readsWithin(config.PAYGRAPH_READ_TIMEOUT_MS);
  const lost = await Promise.all([findLostSettings(db, PLANS), findLostSettings(readDb, reads)]).catch(
    (error: unknown) => {
      throw errorCode(error) === NO_OPTIONS ? new OperatorError(POOLER) : error;
    },
  );
  const statements = [...new Set(lost.flat())];
  if (statements.length > 0 && direct === undefined) throw new OperatorError(POOLER);
  if (statements.length > 0)
    throw new OperatorError(`${LOST}\n\n${statements.map((each) => `  ${each}`).join('\n')}\n`);
  if (direct !== undefined && url !== undefined) await requireNamedStatements(url);
}

/** The code of a pooler that takes no settings for a connection. */
const NO_OPTIONS = '08P01';

const POOLER =
  'DATABASE_URL is a pooler that drops the settings of connections. Name the server itself in DATABASE_DIRECT_URL, and see ' +
  'src/docs/operate/postgres.md.';

const LOST =
  'The roles of DATABASE_URL and DATABASE_READ_URL lack settings. Run these statements on the server, then RECONNECT on the pooler:';
