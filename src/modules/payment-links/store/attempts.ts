import type { Db, Tx } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** One attempt to pay a link. Its id is part of the idempotency key of its transaction. */
export type Attempt = {
  readonly merchantAccountId: string;
  readonly paymentLinkId: string;
  readonly id: string;
  readonly createdAt: Date;
};

/** An attempt leased to the caller until `lookAt`. The sweeper may check the attempt afterwards. */
export type LeasedAttempt = Attempt & { readonly lookAt: Date };

/** Inserts an attempt at a locked link. A second open attempt is a duplicate. */
export async function insertAttempt(tx: Tx, attempt: LeasedAttempt): Promise<void> {
  await tx.paymentLinkAttempt.create({ data: attempt });
}

/** Ends an attempt at a locked link. Returns false when the attempt has ended before, or is deleted. */
export async function endAttempt(tx: Tx, attempt: Attempt, now: Date): Promise<boolean> {
  const where = { ...identity(attempt), endedAt: null };
  return (await tx.paymentLinkAttempt.updateMany({ where, data: { endedAt: now, lookAt: null } })).count > 0;
}

/**
 * Deletes an attempt without a transaction, so that it can create none later. Returns false when the attempt has ended,
 * or is deleted. Throws an error that `isReferenced` recognises when the attempt has a transaction by now.
 */
export async function deleteAttempt(tx: Tx, attempt: Attempt): Promise<boolean> {
  const where = { ...identity(attempt), endedAt: null };
  return (await tx.paymentLinkAttempt.deleteMany({ where })).count > 0;
}

/** Tells whether an attempt exists, ended or not. */
export async function attemptExists({ prisma }: Db, attempt: Attempt): Promise<boolean> {
  const found = await prisma.paymentLinkAttempt.findFirst({
    where: identity(attempt),
    select: { id: true },
  });
  return found !== null;
}

/** Reads the open attempt at a link, of which there is at most one, or null. */
export async function readOpenAttempt(
  { prisma }: Db,
  { merchantAccountId, id }: { readonly merchantAccountId: string; readonly id: string },
): Promise<Attempt | null> {
  return prisma.paymentLinkAttempt.findFirst({
    where: { merchantAccountId, paymentLinkId: id, endedAt: null },
    select: { merchantAccountId: true, paymentLinkId: true, id: true, createdAt: true },
  });
}

/**
 * Sets the time when the sweeper next checks an attempt with an undecided transaction. Writes only over the caller's
 * own lease. If the transaction has moved on meanwhile, a trigger (wake_payment_link_attempt) made the attempt due, and
 * it stays due.
 */
export async function postpone({ prisma }: Db, attempt: LeasedAttempt, lookAt: Date): Promise<void> {
  const where = { ...identity(attempt), endedAt: null, lookAt: attempt.lookAt };
  await prisma.paymentLinkAttempt.updateMany({ where, data: { lookAt } });
}

const dueStatement = prepareFile(import.meta, 'claim-due-attempts.sql');

export type DueRequest = { readonly now: Date; readonly lookAt: Date; readonly limit: number };

/** Claims attempts that are due. Others check them only after `lookAt`, or when their transactions move on. */
export const claimDueAttempts = (db: Db, due: DueRequest): Promise<readonly LeasedAttempt[]> =>
  db.query<LeasedAttempt>(dueStatement(due));

const identity = ({ merchantAccountId, paymentLinkId, id }: Attempt) => ({
  merchantAccountId,
  paymentLinkId,
  id,
});
