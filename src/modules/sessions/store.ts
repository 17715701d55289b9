import type { Db, Tx } from '../../platform/db.ts';
import type { Role } from './role.ts';
import type { Session } from './session.ts';

/** Inserts a session. */
export async function insertSession(tx: Tx, session: Session): Promise<void> {
  await tx.dashboardSession.create({ data: session });
}

/** Returns the session of an id, whatever its merchant account. The session identifies the caller. */
export async function findSession({ prisma }: Pick<Db, 'prisma'>, id: string): Promise<Session | null> {
  const row = await prisma.dashboardSession.findFirst({ where: { id } });
  // A CHECK excludes other roles.
  return row && { ...row, role: row.role as Role };
}

/** Gives a session another digest, unless a concurrent rotation was first. Returns false then. */
export async function rotateSession(
  tx: Tx,
  { merchantAccountId, id, digest }: Session,
  next: Pick<Session, 'digest' | 'rotatedAt'>,
): Promise<boolean> {
  const { count } = await tx.dashboardSession.updateMany({
    where: { merchantAccountId, id, digest, endedAt: null },
    data: { ...next, formerDigest: digest },
  });
  return count === 1;
}

/** Ends a session. An ended session stays as it is. */
export async function endSessionAt(tx: Tx, { merchantAccountId, id }: Session, endedAt: Date): Promise<void> {
  await tx.dashboardSession.updateMany({
    where: { merchantAccountId, id, endedAt: null },
    data: { endedAt },
  });
}
