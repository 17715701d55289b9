import type { Db, Tx } from '../../../platform/database/db.ts';
import type { Settlement, SettlementService } from '../settlement.ts';
import { toSettlement } from '../store.ts';

/** Returns the payment service of the difference that is due first, of any merchant account. Null if none is due. */
export const findDueService = ({ prisma }: Db, now: Date): Promise<SettlementService | null> =>
  prisma.settlement.findFirst({
    where: { rematchAt: { lte: now } },
    orderBy: { rematchAt: 'asc' },
    select: { merchantAccountId: true, paymentServiceId: true },
  });

/** Reads the due differences of a payment service, oldest entry first. The caller holds the lock of the source. */
export async function readDue(
  tx: Tx,
  { merchantAccountId, paymentServiceId }: SettlementService,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly Settlement[]> {
  const rows = await tx.settlement.findMany({
    where: { merchantAccountId, paymentServiceId, rematchAt: { lte: now } },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(toSettlement);
}
