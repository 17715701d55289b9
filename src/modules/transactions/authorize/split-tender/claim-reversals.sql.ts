import type { Db } from '../../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../../platform/database/statement.ts';
import type { Transaction } from '../../model/transaction.ts';
import { toClaim } from '../../engine/claim.sql.ts';
import type { Claim } from '../../engine/claim.ts';
import { CLAIMED, type TakenOverRow } from '../../engine/leases.sql.ts';

const takeUpStatement = prepare(
  'claim_reversals',
  `
  WITH due AS (
    SELECT merchant_account_id, id FROM operation
    WHERE merchant_account_id = @account AND transaction_id = @transaction AND kind = 'unredeem' AND status = 'pending'
      AND unsent AND lease_until IS NULL FOR UPDATE SKIP LOCKED),
  taken AS (
    UPDATE operation o SET unsent = false, attempts = o.attempts + 1, sent_at = @now, lease_until = @leaseUntil,
      next_attempt_at = @leaseUntil, updated_at = @now
    FROM due d WHERE ${rowOf('o', 'd')} RETURNING o.*)
  ${CLAIMED}`,
);

/** Takes up the reversals of a payment that nobody has asked for yet, for whoever ended it to carry out. */
export async function claimReversals(
  db: Db,
  { merchantAccountId, id }: Transaction,
  { now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date },
): Promise<readonly Claim[]> {
  const rows = await db.query<TakenOverRow>(
    takeUpStatement({ account: merchantAccountId, transaction: id, now, leaseUntil }),
  );
  return rows.map(toClaim);
}
