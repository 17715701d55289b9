import type { Db } from '../../../platform/database/db.ts';
import { byKey, prepare } from '../../../platform/database/statement.ts';
import type { Permit } from '../model/permit.ts';

const LIMIT = `coalesce(@alone::jsonb ->> l.currency, @alone::jsonb ->> '*')`;

/**
 * Returns the condition that people refund at most the limit of the locked payment `l` without a second person. Parameter:
 * alone. The function reads after the lock, so two people at once cannot pass the limit together.
 */
export const withinLimit = (amount: string): string =>
  `CASE WHEN ${LIMIT} IS NULL THEN true ELSE ${amount} + refunded_alone(l.merchant_account_id, l.id) <= (${LIMIT})::int END`;

/**
 * The expressions that give an approved request its refund, between the payments in `permitted` and those in `allowed`.
 * Nothing is allowed if the request has a refund already. Parameters: approval, and the id of the refund by its name.
 */
export const approvedBy = (operation: string): string => `
  approved AS (
    UPDATE refund_approval p SET operation_id = ${operation}, next_attempt_at = NULL FROM permitted a
    WHERE ${byKey('p.merchant_account_id', 'a.merchant_account_id')} AND ${byKey('p.id', '@approval::uuid')}
      AND p.transaction_id = a.id AND p.status = 'approved' AND p.operation_id IS NULL RETURNING p.id),
  allowed AS (SELECT a.* FROM permitted a WHERE @approval::uuid IS NULL OR EXISTS (SELECT FROM approved))`;

/** Returns the values of the parameters that the expressions name. */
export const permitValues = (permit: Permit | undefined) => ({
  alone: permit?.kind === 'alone' ? JSON.stringify(permit.limits) : null,
  approval: permit?.kind === 'approved' ? permit.approvalId : null,
});

const aloneStatement = prepare(
  'read_refunded_alone',
  `SELECT w.id, refunded_alone(@account, w.id) AS amount FROM unnest(@transactions::uuid[]) AS w (id)`,
);

/** Reads the amounts that people refunded without a second person, in minor units and in the order of the payments. */
export async function readRefundedAlone(
  db: Pick<Db, 'query'>,
  account: string,
  transactions: readonly string[],
): Promise<readonly number[]> {
  const rows = await db.query<{ id: string; amount: number }>(aloneStatement({ account, transactions }));
  const byId = new Map(rows.map(({ id, amount }) => [id, amount]));
  return transactions.map((id) => byId.get(id.toLowerCase()) ?? 0);
}

const openStatement = prepare(
  'read_approval_open',
  `SELECT p.status = 'approved' AND p.operation_id IS NULL AS open FROM refund_approval p
   WHERE p.merchant_account_id = @account AND p.id = @id::uuid`,
);

/** Returns true if a request is approved and has no refund yet. */
export async function readApprovalOpen(db: Db, account: string, id: string): Promise<boolean> {
  const [row] = await db.query<{ open: boolean }>(openStatement({ account, id }));
  return row?.open ?? false;
}
