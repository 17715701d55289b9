/** Settings of Postgres by name, with the values that `pg_settings` shows. */
export type ConnectionSettings = Readonly<Record<string, string>>;

/**
 * Planner settings of every connection.
 *
 * A connection caches the plan of a frequent statement until the table's next ANALYZE. A plan from the time of
 * a small table would scan the whole table, even after thousands of inserts. Therefore sequential scans are
 * off.
 *
 * Postgres 17 and older then assign a huge cost to a statement without an index. JIT is off, because it would
 * compile such statements.
 */
export const PLANS: ConnectionSettings = { enable_seqscan: 'off', jit: 'off' };

/**
 * Planner settings of a connection for reads.
 *
 * A named read hides its values from Postgres, so that each connection plans it once. Then a common word looks as rare as any
 * other. A bitmap scan would collect all entries of a word and sort them. A walk along the index ends early, so bitmap scans are
 * off.
 */
export const PLANS_OF_READS: ConnectionSettings = { ...PLANS, enable_bitmapscan: 'off' };

/**
 * Settings of connections for reads. A write fails, so no statement can move money outside of the connections for
 * money. A search keeps one processor busy, because it starts no parallel workers.
 */
export const readsWithin = (ms: number): ConnectionSettings => ({
  ...PLANS_OF_READS,
  default_transaction_read_only: 'on',
  statement_timeout: String(ms),
  max_parallel_workers_per_gather: '0',
});

/** Returns settings as options of a new connection. */
export const toOptions = (settings: ConnectionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
