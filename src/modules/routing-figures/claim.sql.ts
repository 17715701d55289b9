import type { Db } from '../../platform/database/db.ts';
import { prepareFile } from '../../platform/database/statement.ts';

/** A merchant account whose figures a process makes. Nobody else makes them before the end of the lease. */
export type Claimed = { readonly merchantAccountId: string; readonly leaseUntil: Date };

const claimStatement = prepareFile(import.meta, 'claim-routing-figures-round.sql');

/** Claims the round that has waited longest, of any merchant account. Null when none is due. */
export async function claimRound(
  db: Db,
  claim: { readonly now: Date; readonly leaseUntil: Date },
): Promise<Claimed | null> {
  const [row] = await db.query<Pick<Claimed, 'merchantAccountId'>>(claimStatement(claim));
  return row ? { ...row, leaseUntil: claim.leaseUntil } : null;
}
