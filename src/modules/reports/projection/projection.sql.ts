import { queryOn, type Db } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { takenRows } from '../../../platform/feed/log-cursor.sql.ts';
import { hidden, prepare, prepareFile, rowOf } from '../../../platform/database/statement.ts';
import { merged } from './bins.sql.ts';
import { BIN_COLUMNS, KEY_COLUMNS, SUMMED, SUM_COLUMNS } from './facts.sql.ts';
import { BUYER_COLUMNS, BUYER_KEYS } from '../top-buyers.sql.ts';

/** The reader that counts the entries of the ledger. Refusals have marks instead. */
export const LEDGER = {
  cursor: 'reports',
  table: 'ledger_entry',
  columns: 'e.position, e.merchant_account_id, e.id, e.created_at',
} as const;

/** The reader that counts new payments. The first operation of a payment is written with the payment. */
export const BEGUN = {
  cursor: 'reports of payments',
  table: 'operation',
  columns: 'e.position, e.merchant_account_id, e.transaction_id, e.created_at',
  as: 'begun_',
} as const;

/** The payments that begin with an operation of a table expression, as facts. An operation from before has no position. */
export const begunBy = (operations: string): string => `
    SELECT 'transaction' AS source, t.merchant_account_id, t.id, t.created_at
    FROM ${operations} o JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
    WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = o.merchant_account_id
      AND p.transaction_id = o.transaction_id AND (p.position IS NULL OR p.position < o.position))`;

/** The lock of the process that may write the sums. No other advisory lock has this number. */
export const REPORTS_KEY = '7020584530100317';

const lock = prepare('reports_lock', `SELECT pg_try_advisory_xact_lock(${REPORTS_KEY}) AS mine`);

/** Hidden, because Postgres would plan each run anew: 25 ms for some hundred facts. */
const LIMIT = hidden('@limit::int');

const project = prepare(
  'reports_project',
  `
  WITH marked AS (
    DELETE FROM report_pending
    WHERE position IN (SELECT position FROM report_pending ORDER BY position LIMIT ${LIMIT})
    RETURNING *),
  ${takenRows({ ...LEDGER, limit: LIMIT })},
  ${takenRows({ ...BEGUN, limit: LIMIT })},
  given AS (
    SELECT source, merchant_account_id, id, created_at FROM marked
    UNION ALL
    SELECT 'ledger_entry', merchant_account_id, id, created_at FROM taken
    UNION ALL
    ${begunBy('begun_taken')}),
  ${SUMMED},
  written AS (
    INSERT INTO report_bucket AS b (${[...KEY_COLUMNS, ...SUM_COLUMNS].join(', ')})
    SELECT * FROM summed
    ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET
      ${SUM_COLUMNS.map((column) => `${column} = b.${column} + excluded.${column}`).join(', ')}),
  spread AS (
    INSERT INTO report_histogram AS b (${[...KEY_COLUMNS, ...BIN_COLUMNS].join(', ')})
    SELECT * FROM binned
    ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET
      ${BIN_COLUMNS.map((column) => `${column} = ${merged(`b.${column}`, `excluded.${column}`)}`).join(', ')}),
  buyers AS (
    INSERT INTO report_buyer AS r (${BUYER_COLUMNS}) SELECT * FROM bought
    ON CONFLICT (${BUYER_KEYS.join(', ')}) DO UPDATE SET captured_count = r.captured_count + excluded.captured_count,
      captured_amount = r.captured_amount + excluded.captured_amount)
  SELECT (SELECT count(*) FROM marked)::int + (SELECT count(*) FROM taken)::int + (SELECT count(*) FROM begun_taken)::int AS counted`,
);

/**
 * Counts the oldest facts without a sum: at most `limit` of the marks, of the ledger and of the operations. One commit has the
 * sums, the removal of the marks and the moves of the cursors. So each fact counts once. A crash leaves all as
 * before. Returns the number of counted facts, or null while another process counts.
 */
export async function projectBatch(db: Db, limit: number): Promise<number | null> {
  const client = await db.connect();
  try {
    // A frozen process loses its connection and its lock. Another process continues.
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 1000');
    const { query } = queryOn(client);
    const [locked] = await query<{ mine: boolean }>(lock({}));
    // The lock has its own statement, so that the next statement's snapshot begins after the lock.
    const counted = locked?.mine ? await query<{ counted: number }>(project({ limit })) : null;
    await failpoint('reports.projected');
    await client.query('COMMIT');
    client.release();
    return counted && (counted[0]?.counted ?? 0);
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const oldest = prepareFile(import.meta, 'reports-oldest.sql');

/** Returns the moment of the oldest fact that no sum has yet. Null when the sums have all facts. */
export async function findOldestUncounted(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ created_at: Date }>(oldest({}));
  return row?.created_at ?? null;
}
