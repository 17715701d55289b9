import { queryOn, type Db } from '../../../platform/database/db.ts';
import { waitingRows } from '../../../platform/feed/log-cursor.sql.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';
import { BIN_COLUMNS, KEY_COLUMNS, SUMMED, SUM_COLUMNS } from './facts.sql.ts';
import { BEGUN, begunBy, LEDGER, REPORTS_KEY } from './projection.sql.ts';
import { BUYER_COLUMNS, BUYER_KEYS } from '../top-buyers.sql.ts';

/** The facts of one merchant account that the projection has counted. */
const COUNTED = `
  ${waitingRows({ ...LEDGER, limit: 'ALL' })},
  ${waitingRows({ ...BEGUN, limit: 'ALL' })},
  given AS (
    SELECT 'transaction' AS source, t.merchant_account_id, t.id, t.created_at FROM transaction t
    WHERE t.merchant_account_id = @account
    UNION ALL
    SELECT 'ledger_entry', l.merchant_account_id, l.id, l.created_at FROM ledger_entry l WHERE l.merchant_account_id = @account
    UNION ALL
    SELECT 'operation', o.merchant_account_id, o.id, coalesce(o.settled_at, o.updated_at) FROM operation o
    WHERE o.merchant_account_id = @account AND o.kind = 'authorize' AND o.status IN ('declined', 'failed')
    EXCEPT
    SELECT p.source, p.merchant_account_id, p.id, p.created_at FROM report_pending p WHERE p.merchant_account_id = @account
    EXCEPT
    SELECT 'ledger_entry', w.merchant_account_id, w.id, w.created_at FROM waiting w WHERE w.merchant_account_id = @account
    EXCEPT
    ${begunBy('begun_waiting')} AND o.merchant_account_id = @account)`;

const differences = prepare(
  'reports_differences',
  `
  WITH ${COUNTED},
  ${SUMMED}
  SELECT dimension, grain, starts_at, value, currency,
    to_jsonb(b) - ARRAY[${KEY_COLUMNS.map((column) => `'${column}'`).join(', ')}] AS kept,
    to_jsonb(s) - ARRAY[${KEY_COLUMNS.map((column) => `'${column}'`).join(', ')}] AS right
  FROM (SELECT * FROM report_bucket WHERE merchant_account_id = @account) b
  FULL JOIN summed s USING (${KEY_COLUMNS.join(', ')})
  WHERE (${SUM_COLUMNS.map((column) => `b.${column}`).join(', ')})
    IS DISTINCT FROM (${SUM_COLUMNS.map((column) => `s.${column}`).join(', ')})
  ORDER BY 1, 2, 3, 4, 5 LIMIT @limit`,
);

const bins = (row: string): string =>
  `CASE WHEN ${row}.currency IS NOT NULL THEN jsonb_build_object(${BIN_COLUMNS.map((column) => `'${column}', ${row}.${column}::text`).join(', ')}) END`;

const captures = (row: string): string =>
  `CASE WHEN ${row}.captured_count IS NOT NULL THEN
    jsonb_build_object('captured_count', ${row}.captured_count, 'captured_amount', ${row}.captured_amount) END`;

const histogramDifferences = prepare(
  'reports_histogram_differences',
  `
  WITH ${COUNTED},
  ${SUMMED}
  SELECT dimension, grain, starts_at, value, currency, ${bins('b')} AS kept, ${bins('s')} AS right
  FROM (SELECT * FROM report_histogram WHERE merchant_account_id = @account) b
  FULL JOIN binned s USING (${KEY_COLUMNS.join(', ')})
  WHERE (${BIN_COLUMNS.map((column) => `b.${column}`).join(', ')})
    IS DISTINCT FROM (${BIN_COLUMNS.map((column) => `s.${column}`).join(', ')})
  ORDER BY 1, 2, 3, 4, 5 LIMIT @limit`,
);

const buyerDifferences = prepare(
  'reports_buyer_differences',
  `
  WITH ${COUNTED},
  ${SUMMED}
  SELECT 'buyer' AS dimension, grain, starts_at, buyer_id::text AS value, currency, ${captures('b')} AS kept, ${captures('s')} AS right
  FROM (SELECT * FROM report_buyer WHERE merchant_account_id = @account) b
  FULL JOIN bought s USING (${BUYER_KEYS.join(', ')})
  WHERE (b.captured_count, b.captured_amount) IS DISTINCT FROM (s.captured_count, s.captured_amount)
  ORDER BY 2, 3, 4, 5 LIMIT @limit`,
);

const remove = prepareFile(import.meta, 'reports-remove.sql');

const fill = prepare(
  'reports_fill',
  `WITH ${COUNTED},
  ${SUMMED},
  spread AS (
    INSERT INTO report_histogram (${[...KEY_COLUMNS, ...BIN_COLUMNS].join(', ')}) SELECT * FROM binned),
  buyers AS (INSERT INTO report_buyer (${BUYER_COLUMNS}) SELECT * FROM bought)
  INSERT INTO report_bucket (${[...KEY_COLUMNS, ...SUM_COLUMNS].join(', ')}) SELECT * FROM summed`,
);

/** A bucket whose sums or bins differ from its facts. Null: the row is missing, or no fact belongs there. */
export type BucketDifference = {
  readonly dimension: string;
  readonly grain: string;
  readonly starts_at: Date;
  readonly value: string;
  readonly currency: string;
  readonly kept: Readonly<Record<string, number | string>> | null;
  readonly right: Readonly<Record<string, number | string>> | null;
};

const lock = prepare('reports_hold', `SELECT pg_advisory_lock(${REPORTS_KEY}) IS NULL AS held`);
const unlock = prepare('reports_release', `SELECT pg_advisory_unlock(${REPORTS_KEY}) AS released`);

/** Runs statements while no process counts facts. */
async function withoutProjection<Value>(db: Db, run: (query: Db['query']) => Promise<Value>): Promise<Value> {
  const client = await db.connect();
  try {
    const { query } = queryOn(client);
    await query(lock({}));
    const value = await run(query);
    await query(unlock({}));
    client.release();
    return value;
  } catch (error) {
    // The end of the connection ends its transaction and frees the lock.
    client.release(true);
    throw error;
  }
}

const begin = prepare('reports_begin', 'BEGIN ISOLATION LEVEL REPEATABLE READ');
const commit = prepare('reports_commit', 'COMMIT');

/** Compares the buckets of a merchant account with its facts. Changes nothing. Returns at most `limit` differences. */
export const findDifferences = (
  db: Db,
  account: string,
  limit: number,
): Promise<readonly BucketDifference[]> =>
  withoutProjection(db, async (query) => {
    await query(begin({}));
    const ofSums = await query<BucketDifference>(differences({ account, limit }));
    const ofBins = await query<BucketDifference>(histogramDifferences({ account, limit }));
    const ofBuyers = await query<BucketDifference>(buyerDifferences({ account, limit }));
    await query(commit({}));
    return [...ofSums, ...ofBins, ...ofBuyers].slice(0, limit);
  });

/** Writes the buckets of a merchant account anew from its facts, in one commit. A crash before the commit changes nothing. */
export const refill = (db: Db, account: string): Promise<void> =>
  withoutProjection(db, async (query) => {
    await query(begin({}));
    await query(remove({ account }));
    await query(fill({ account }));
    await query(commit({}));
  });

const accounts = prepare('reports_accounts', 'SELECT id FROM merchant_account ORDER BY id');

/** Returns the ids of all merchant accounts. */
export async function readReportedAccounts(db: Db): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(accounts({}));
  return rows.map(({ id }) => id);
}
