import type pg from 'pg';

/** Work that the source has not ended. */
export type Waiting = { readonly name: string; readonly rows: number };

/** Operations and webhooks whose call may be under way: they have a lease. */
const UNDER_WAY = `
  SELECT 'operations under way' AS name, count(*)::int AS rows FROM operation
  WHERE merchant_account_id = $1 AND status = 'pending' AND lease_until > clock_timestamp()
  UNION ALL
  SELECT 'webhooks under way', count(*)::int FROM delivery
  WHERE merchant_account_id = $1 AND state = 'leased' AND lease_until > clock_timestamp()`;

const unread = (name: string, table: string, cursor: string): string => `
  SELECT '${name}' AS name, count(*)::int AS rows FROM ${table} e, log_cursor c
  WHERE e.merchant_account_id = $1 AND c.name = '${cursor}'
    AND (e.position > c.position OR (c.missing + c.young) @> e.position)`;

const UNREAD = [
  unread('events for the feed', 'event', 'feed'),
  unread('entries for the chain of the audit log', 'audit_entry', 'audit'),
  unread('entries of the ledger for the reports', 'ledger_entry', 'reports'),
  unread('operations for the reports', 'operation', 'reports of payments'),
  `SELECT 'marks for the reports', count(*)::int FROM report_pending WHERE merchant_account_id = $1`,
].join(' UNION ALL ');

/** The chain of the audit log needs a data key. Its creation is a change with an entry of its own. */
const UNCHAINED = `SELECT 'account without a key for the chain of the audit log' AS name, 1 AS rows
  WHERE NOT EXISTS (SELECT FROM data_key WHERE merchant_account_id = $1 AND purpose = 'fingerprint')`;

const waiting =
  (text: string) =>
  async (client: pg.Client, account: string): Promise<readonly Waiting[]> => {
    const { rows } = await client.query<Waiting>(text, [account]);
    return rows.filter((each) => each.rows > 0);
  };

/** Lists the account's calls that may be under way. */
export const readUnderWay = waiting(UNDER_WAY);

/** Tells of an account whose audit log was never chained. The beginning of the hold writes an entry, so a worker will chain it. */
export const readUnchained = waiting(UNCHAINED);

/** Lists the account's rows that a reader of a log has not read. Nobody adds rows once the account is closing. */
export const readUnread = waiting(UNREAD);

/** A writer has this lock from before its triggers run until its end. `CREATE INDEX CONCURRENTLY` looks for it, too. */
const WRITERS = `
  SELECT virtualtransaction AS name, count(*)::int AS rows FROM pg_locks
  WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted AND pid IS DISTINCT FROM pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND relation = ANY ($1::regclass[]::oid[])
  GROUP BY virtualtransaction`;

/** Lists the transactions of others that write to tables. */
export const readWriters = async (
  client: pg.Client,
  tables: readonly string[],
): Promise<readonly Waiting[]> => (await client.query<Waiting>(WRITERS, [tables])).rows;
