import type { Db } from '../../../platform/database/db.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';
import type { Permit } from '../model/permit.ts';

/** Returns the values of the parameters `alone` and `approval` of a refund's claim. */
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

const openStatement = prepareFile(import.meta, 'read-approval-open.sql');

/** Returns true if a request is approved and has no refund yet. */
export async function readApprovalOpen(db: Db, account: string, id: string): Promise<boolean> {
  const [row] = await db.query<{ open: boolean }>(openStatement({ account, id }));
  return row?.open ?? false;
}
