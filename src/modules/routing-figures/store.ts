import type { Db } from '../../platform/database/db.ts';
import type { Figures } from '../routing/index.ts';
import type { Claimed } from './claim.sql.ts';

/** The time after which a snapshot is removed. A process reads a snapshot within seconds of its making. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Stores a snapshot, removes the old ones, and plans the next round. Commits once. An activation meanwhile plans an earlier round,
 * which stays.
 */
export async function keepFigures(
  db: Db,
  { merchantAccountId, leaseUntil }: Claimed,
  { id, madeAt, rates, fees }: Figures,
  nextAt: Date,
): Promise<void> {
  const made = new Date(madeAt);
  await db.transaction(async (tx) => {
    await tx.routingFigures.create({
      data: {
        merchantAccountId,
        id,
        madeAt: made,
        content: { rates: [...rates], fees: [...fees] },
      },
    });
    await tx.routingFigures.deleteMany({
      where: { merchantAccountId, id: { not: id }, madeAt: { lt: new Date(made.getTime() - KEPT_MS) } },
    });
    await tx.routingFiguresRound.updateMany({
      where: { merchantAccountId, nextAt: leaseUntil },
      data: { nextAt },
    });
  });
}

/** Ends the rounds of a merchant account whose rules compare nothing. An activation meanwhile plans a round, which stays. */
export async function endRounds(db: Db, { merchantAccountId, leaseUntil }: Claimed): Promise<void> {
  await db.prisma.routingFiguresRound.deleteMany({ where: { merchantAccountId, nextAt: leaseUntil } });
}

/** Plans the next round without a snapshot. An activation meanwhile plans an earlier round, which stays. */
export async function postponeRound(
  db: Db,
  { merchantAccountId, leaseUntil }: Claimed,
  nextAt: Date,
): Promise<void> {
  await db.prisma.routingFiguresRound.updateMany({
    where: { merchantAccountId, nextAt: leaseUntil },
    data: { nextAt },
  });
}
