import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { Transaction } from '../../model/transaction.ts';
import { toClaim } from '../../claim/claim-row.sql.ts';
import type { Claim } from '../../claim/claim.ts';
import type { TakenOverRow } from '../../claim/leases.sql.ts';

const takeUpStatement = prepareFile(import.meta, 'claim-reversals.sql');

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
