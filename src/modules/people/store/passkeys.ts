import type { Tx } from '../../../platform/database/db.ts';
import type { DashboardPasskey } from '../../../platform/generated/prisma/client.ts';
import type { Person } from '../person.ts';

/** A passkey of a person. */
export type Passkey = DashboardPasskey;

type Key = Pick<Person, 'merchantAccountId' | 'id'>;

/** Inserts a passkey. A known credential throws an error that `isDuplicate` recognises. */
export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<void> {
  await tx.dashboardPasskey.create({ data: { ...passkey, publicKey: Uint8Array.from(passkey.publicKey) } });
}

/** Lists the passkeys of a person, within a transaction or outside. */
export const findPasskeysOf = (
  { prisma }: { readonly prisma: Tx },
  { merchantAccountId, id }: Key,
): Promise<readonly Passkey[]> =>
  prisma.dashboardPasskey.findMany({ where: { merchantAccountId, personId: id }, orderBy: { id: 'asc' } });

/**
 * Records a use of a passkey. False if the count of signatures did not grow, as by a copy of the passkey or a repeated answer.
 * Authenticators without a count always send 0.
 */
export async function usePasskey(
  tx: Tx,
  { merchantAccountId, id }: Pick<Passkey, 'merchantAccountId' | 'id'>,
  { counter, usedAt }: { readonly counter: bigint; readonly usedAt: Date },
): Promise<boolean> {
  const { count } = await tx.dashboardPasskey.updateMany({
    where: { merchantAccountId, id, ...(counter === 0n ? { counter: 0n } : { counter: { lt: counter } }) },
    data: { counter, lastUsedAt: usedAt },
  });
  return count === 1;
}

/** Names a passkey of a person. False if the person has no such passkey. */
export async function namePasskey(
  tx: Tx,
  { merchantAccountId, id: personId }: Key,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const { count } = await tx.dashboardPasskey.updateMany({
    where: { merchantAccountId, id, personId },
    data: { name },
  });
  return count === 1;
}

/** Removes a passkey of a person. */
export async function removePasskey(
  tx: Tx,
  { merchantAccountId, id }: Pick<Passkey, 'merchantAccountId' | 'id'>,
): Promise<void> {
  await tx.dashboardPasskey.deleteMany({ where: { merchantAccountId, id } });
}

/** Removes every passkey of a person. */
export async function removePasskeysOf(tx: Tx, { merchantAccountId, id }: Key): Promise<void> {
  await tx.dashboardPasskey.deleteMany({ where: { merchantAccountId, personId: id } });
}
