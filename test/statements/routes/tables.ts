import { query } from '../../support/database.ts';
import type { Tables } from './values.ts';

const COLUMNS = `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
  GROUP BY c.relname`;

const ACCOUNT = 'merchant_account_id';

/** Reads the tables of a database, each with the column of its merchant account. */
export async function readTables(url: string): Promise<Tables> {
  const rows = await query<{ name: string; columns: readonly string[] }>(url, COLUMNS);
  return new Map(
    rows.map(({ name, columns }) => {
      const account = name === 'merchant_account' ? 'id' : columns.includes(ACCOUNT) ? ACCOUNT : null;
      return [name, { columns, account }];
    }),
  );
}
