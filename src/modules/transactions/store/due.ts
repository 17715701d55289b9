import type { Db } from '../../../platform/db.ts';
import { CONNECTION_COLUMNS } from '../../payment-services/index.ts';
import type { Operation } from '../operation.ts';
import { toClaimed, type Claimed, type ClaimedRow } from './claim.ts';

/**
 * Takes over pending operations whose time has come, of every merchant account, oldest first: their caller is gone or
 * their outcome is unknown. The lease keeps other processes away; it is an optimisation, the safety is in settle.
 */
export async function claimDue(
  db: Db,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<readonly Claimed[]> {
  const rows = await db.query<ClaimedRow>({
    name: 'claim_due',
    text: `
      WITH due AS (
        SELECT merchant_account_id, id FROM operation WHERE status = 'pending' AND next_attempt_at <= $1
        ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED),
      taken AS (
        UPDATE operation o SET lease_until = $2, next_attempt_at = $2, attempts = attempts + 1, updated_at = $1
        FROM due d WHERE o.merchant_account_id = d.merchant_account_id AND o.id = d.id RETURNING o.*)
      SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction, ${CONNECTION_COLUMNS} AS connection
      FROM taken o
      JOIN transaction t ON t.merchant_account_id = o.merchant_account_id AND t.id = o.transaction_id
      JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id`,
    values: [now, leaseUntil, limit],
  });
  return rows.map(toClaimed);
}

/** Gives a pending operation back: its outcome is unknown, and reconciliation asks again at `nextAttemptAt`. */
export async function releaseOperation(
  db: Db,
  { merchantAccountId, id }: Operation,
  now: Date,
  nextAttemptAt: Date,
) {
  await db.query({
    name: 'release_operation',
    text: `UPDATE operation SET lease_until = NULL, next_attempt_at = $4, updated_at = $3
           WHERE merchant_account_id = $1 AND id = $2 AND status = 'pending'`,
    values: [merchantAccountId, id, now, nextAttemptAt],
  });
}
