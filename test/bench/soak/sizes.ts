import { query } from '../../support/database.ts';

/** The disk space of a database's tables with their indexes, in bytes. */
export type Sizes = {
  /** Tables whose rows go after a time: events, deliveries, attempts and idempotency keys. */
  readonly passing: number;
  /** Tables whose rows stay for ever, such as payments and their ledger. */
  readonly lasting: number;
  /** The rows that were changed or removed, and that no vacuum has taken. */
  readonly dead: number;
};

/** Measures all tables of a database. */
export async function sizesOf(url: string): Promise<Sizes> {
  const [row] = await query<Record<keyof Sizes, string>>(url, SIZES);
  return {
    passing: Number(row?.passing),
    lasting: Number(row?.lasting),
    dead: Number(row?.dead),
  };
}

const SIZES = `
  WITH measured AS (
    SELECT relname ~ '^(event|event_from_.*|event_default|feed_entry|delivery|delivery_attempt|delivery_attempt_from_.*|idempotency_key)$' AS passing,
      pg_total_relation_size(relid) AS bytes, n_dead_tup AS dead
    FROM pg_stat_user_tables)
  SELECT coalesce(sum(bytes) FILTER (WHERE passing), 0) AS passing,
    coalesce(sum(bytes) FILTER (WHERE NOT passing), 0) AS lasting, sum(dead) AS dead
  FROM measured`;

/** Counts the payments of a database. */
export async function paymentsOf(url: string): Promise<number> {
  const [row] = await query<{ payments: number }>(url, 'SELECT count(*)::int AS payments FROM transaction');
  return row?.payments ?? 0;
}
