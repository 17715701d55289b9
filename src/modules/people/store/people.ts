import type { PageRequest } from '../../../kernel/page.ts';
import { queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import type { DashboardPerson as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Role } from '../../sessions/index.ts';
import type { Person, Secrets } from '../person.ts';

/** A person with the secrets of the local account. */
export type PersonWithSecrets = Person & Secrets;

const WITH_PASSKEYS = { _count: { select: { passkeys: true } } } as const;

type FullRow = Row & { readonly _count: { readonly passkeys: number } };

// CHECKs exclude other roles and states.
const toPerson = (row: FullRow): PersonWithSecrets => ({
  merchantAccountId: row.merchantAccountId,
  id: row.id,
  email: row.email,
  role: row.role as Role,
  state: row.state as Person['state'],
  subject: row.subject,
  hasPassword: row.passwordHash !== null,
  passkeyCount: row._count.passkeys,
  recoveryCodesLeft: row.recoveryDigests.length,
  invitationExpiresAt: row.invitationExpiresAt,
  signedInAt: row.signedInAt,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  passwordHash: row.passwordHash,
  sealedTotp: row.sealedTotp,
  invitationDigest: row.invitationDigest,
});

/** Returns a person without the secrets of the account. */
export const withoutSecrets = ({
  passwordHash: _hash,
  sealedTotp: _totp,
  invitationDigest: _digest,
  ...person
}: PersonWithSecrets): Person => person;

/** A new person of a merchant account. */
export type NewPerson = Pick<
  Row,
  | 'merchantAccountId'
  | 'id'
  | 'email'
  | 'role'
  | 'state'
  | 'subject'
  | 'invitationDigest'
  | 'invitationExpiresAt'
  | 'createdAt'
  | 'updatedAt'
>;

/** Inserts a person. A known e-mail address or subject throws an error that `isDuplicate` recognises. */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<void> {
  await tx.dashboardPerson.create({ data: person });
}

/** Returns the person of an id, whatever the merchant account. An invitation and a session identify the caller. */
export async function findPersonById(
  { prisma }: Pick<Db, 'prisma'>,
  id: string,
): Promise<PersonWithSecrets | null> {
  const row = await prisma.dashboardPerson.findFirst({ where: { id }, include: WITH_PASSKEYS });
  return row && toPerson(row);
}

/** Returns the person of an id in a merchant account, within a transaction or outside. */
export async function findPersonOf(
  { prisma }: { readonly prisma: Tx },
  merchantAccountId: string,
  id: string,
): Promise<PersonWithSecrets | null> {
  if (!isUuid(id)) return null;
  const where = { merchantAccountId, id };
  const row = await prisma.dashboardPerson.findFirst({ where, include: WITH_PASSKEYS });
  return row && toPerson(row);
}

/** Returns the person with a local account of this e-mail address, or with this subject at an identity provider. */
export async function findPersonNamed(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  name: { readonly email: string } | { readonly subject: string },
): Promise<PersonWithSecrets | null> {
  const known = 'email' in name ? { email: name.email, subject: null } : { subject: name.subject };
  const where = { merchantAccountId, ...known };
  const row = await prisma.dashboardPerson.findFirst({ where, include: WITH_PASSKEYS });
  return row && toPerson(row);
}

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function readPeople(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly Person[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };
  const rows = await prisma.dashboardPerson.findMany({
    where: { AND: [{ merchantAccountId }, behind] },
    include: WITH_PASSKEYS,
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map((row) => withoutSecrets(toPerson(row)));
}

type Key = Pick<Person, 'merchantAccountId' | 'id'>;

/** Writes the given fields of a person. */
export async function changePerson(
  tx: Tx,
  { merchantAccountId, id }: Key,
  changes: Partial<Row>,
): Promise<void> {
  await tx.dashboardPerson.updateMany({ where: { merchantAccountId, id }, data: changes });
}

/**
 * Writes the given fields of an active person, and locks the row. False if the person was suspended or got another password
 * meanwhile.
 */
export async function changeOwn(
  tx: Tx,
  { merchantAccountId, id, passwordHash }: Key & Pick<Secrets, 'passwordHash'>,
  changes: Partial<Row>,
): Promise<boolean> {
  const where = { merchantAccountId, id, state: 'active', passwordHash };
  return (await tx.dashboardPerson.updateMany({ where, data: changes })).count === 1;
}

/**
 * Locks a person and each active owner of the merchant account. Returns the ids of the active owners. Two changes of owners at once
 * therefore happen one after the other.
 */
export async function lockWithOwners(
  tx: Tx,
  { merchantAccountId: account, id }: Key,
): Promise<readonly string[]> {
  const locked = await queryIn(tx).query<Locked>(lockedWithOwners({ account, id }));
  return locked.filter((row) => row.is_owner).map((row) => row.id);
}

type Locked = { readonly id: string; readonly is_owner: boolean };

const lockedWithOwners = prepareFile(import.meta, 'lock-person-with-owners.sql');

/** Records the sign-in of an active person, and locks the row. Null for a person who is not active. */
export async function markSignedIn(
  tx: Tx,
  { merchantAccountId, id }: Key,
  now: Date,
): Promise<Pick<Person, 'email' | 'role'> | null> {
  const where = { merchantAccountId, id, state: 'active' };
  const [row] = await tx.dashboardPerson.updateManyAndReturn({ where, data: { signedInAt: now } });
  // A CHECK excludes other roles.
  return row ? { email: row.email, role: row.role as Role } : null;
}

/** Takes an invitation, once. False if another request was first, or the invitation was replaced. */
export async function takeInvitation(
  tx: Tx,
  { merchantAccountId, id }: Key,
  digest: string,
  changes: Partial<Row>,
): Promise<boolean> {
  const { count } = await tx.dashboardPerson.updateMany({
    where: { merchantAccountId, id, state: 'invited', invitationDigest: digest },
    data: { ...changes, state: 'active', invitationDigest: null, invitationExpiresAt: null },
  });
  return count === 1;
}

/** Keeps the shared secret that an invitation offers, unless one is kept already. */
export async function keepOffered(tx: Tx, { merchantAccountId, id }: Key, sealedTotp: string): Promise<void> {
  await tx.dashboardPerson.updateMany({
    where: { merchantAccountId, id, state: 'invited', sealedTotp: null },
    data: { sealedTotp },
  });
}

/** Uses a one-time code up. False if this code or a later one was used. */
export async function useCode(db: Db, { merchantAccountId, id }: Key, step: number): Promise<boolean> {
  const { count } = await db.transaction((tx) =>
    tx.dashboardPerson.updateMany({
      where: { merchantAccountId, id, OR: [{ totpStep: null }, { totpStep: { lt: step } }] },
      data: { totpStep: step },
    }),
  );
  return count === 1;
}

/** Uses a recovery code up. False for a wrong or used one. */
export async function useRecoveryCode(
  db: Db,
  { merchantAccountId, id }: Key,
  digest: string,
): Promise<boolean> {
  const used = await db.transaction((tx) =>
    queryIn(tx).query(usedRecovery({ account: merchantAccountId, id, digest })),
  );
  return used.length === 1;
}

const usedRecovery = prepareFile(import.meta, 'use-recovery-code.sql');
