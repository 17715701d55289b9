import type { Db, Tx } from '../../platform/database/db.ts';
import type { DashboardSession as Row } from '../../platform/generated/prisma/client.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Role } from './role.ts';
import type { Session, SignedInWith } from './session.ts';

/** Inserts a session. */
export async function insertSession(tx: Tx, session: Session): Promise<void> {
  await tx.dashboardSession.create({ data: session });
}

/** Returns the session of an id, whatever its merchant account. The session identifies the caller. */
export async function findSession({ prisma }: Pick<Db, 'prisma'>, id: string): Promise<Session | null> {
  const row = await prisma.dashboardSession.findFirst({ where: { id } });
  return row && toSession(row);
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

// CHECKs exclude other roles and ways.
const toSession = (row: Row): Session => ({
  ...row,
  role: row.role as Role,
  signedInWith: row.signedInWith as SignedInWith,
});

/** Reads a page of the sessions that have not ended, and one row more, newest first or, backward, oldest first. */
export async function readSessions(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  now: Date,
): Promise<readonly Session[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };
  const rows = await prisma.dashboardSession.findMany({
    where: { AND: [{ merchantAccountId, endedAt: null, expiresAt: { gt: now } }, behind] },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(toSession);
}

/** Returns a session of a merchant account, ended or not. */
export async function findSessionOf(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  id: string,
): Promise<Session | null> {
  const row = await prisma.dashboardSession.findFirst({ where: { merchantAccountId, id } });
  return row && toSession(row);
}

/** A person of a merchant account. The visitor of a sandbox has a name alone. */
type OfPerson = { readonly merchantAccountId: string } & (
  | { readonly personId: string }
  | { readonly personId: null; readonly person: string }
);

/** Ends every session of a person. */
export async function endSessionsOf(tx: Tx, of: OfPerson, endedAt: Date): Promise<void> {
  await tx.dashboardSession.updateMany({ where: { ...of, endedAt: null }, data: { endedAt } });
}

/** Ends every session of a person except one. */
export async function endOtherSessionsOf(
  tx: Tx,
  { merchantAccountId, personId, keptId }: OfPersonExcept,
  endedAt: Date,
): Promise<void> {
  await tx.dashboardSession.updateMany({
    where: { merchantAccountId, personId, id: { not: keptId }, endedAt: null },
    data: { endedAt },
  });
}

type OfPersonExcept = {
  readonly merchantAccountId: string;
  readonly personId: string;
  readonly keptId: string;
};

/** Gives the sessions of a person another role. */
export async function changeRoleOf(tx: Tx, of: OfPerson, role: Role): Promise<void> {
  await tx.dashboardSession.updateMany({ where: { ...of, endedAt: null }, data: { role } });
}
