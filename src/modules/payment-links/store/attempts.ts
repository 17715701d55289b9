import type { Db, Tx } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';

/** One attempt to pay a link. Its id makes the idempotency key of its transaction. */
export type Attempt = {
  readonly merchantAccountId: string;
  readonly paymentLinkId: string;
  readonly id: string;
  readonly createdAt: Date;
};

/** An attempt that is the caller's until a moment, from which on the sweeper may look what became of it. */
export type LeasedAttempt = Attempt & { readonly lookAt: Date };

/** Inserts an attempt at a link that is locked; a second one that has not ended is a duplicate. */
export async function insertAttempt(tx: Tx, attempt: LeasedAttempt): Promise<void> {
  await tx.paymentLinkAttempt.create({ data: attempt });
}

/** Ends an attempt at a link that is locked; false when it has ended before, or is no more. */
export async function endAttempt(tx: Tx, attempt: Attempt, now: Date): Promise<boolean> {
  const where = { ...identity(attempt), endedAt: null };
  return (await tx.paymentLinkAttempt.updateMany({ where, data: { endedAt: now, lookAt: null } })).count > 0;
}

/**
 * Deletes an attempt that made no transaction, so that it can make none any more; false when it has ended, or is no more.
 * Throws what `isReferenced` knows when it has made one by now.
 */
export async function deleteAttempt(tx: Tx, attempt: Attempt): Promise<boolean> {
  const where = { ...identity(attempt), endedAt: null };
  return (await tx.paymentLinkAttempt.deleteMany({ where })).count > 0;
}

/** Whether an attempt is there, ended or not. */
export async function attemptExists({ prisma }: Db, attempt: Attempt): Promise<boolean> {
  const found = await prisma.paymentLinkAttempt.findFirst({
    where: identity(attempt),
    select: { id: true },
  });
  return found !== null;
}

/** The attempt at a link that has not ended, of which there is at most one; null when there is none. */
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
 * Says when the sweeper looks at an attempt whose transaction is not decided. Only while the caller's lease is what is written: a
 * transaction that has moved on since it was read has made the attempt due (trigger wake_payment_link_attempt), and stays so.
 */
export async function postpone({ prisma }: Db, attempt: LeasedAttempt, lookAt: Date): Promise<void> {
  const where = { ...identity(attempt), endedAt: null, lookAt: attempt.lookAt };
  await prisma.paymentLinkAttempt.updateMany({ where, data: { lookAt } });
}

const dueStatement = prepare(
  'claim_due_attempts',
  `UPDATE payment_link_attempt a SET look_at = @lookAt FROM (
     SELECT d.merchant_account_id, d.payment_link_id, d.id FROM payment_link_attempt d
     WHERE d.ended_at IS NULL AND d.look_at <= @now ORDER BY d.look_at LIMIT @limit FOR NO KEY UPDATE SKIP LOCKED) due
   WHERE a.merchant_account_id = due.merchant_account_id AND a.payment_link_id = due.payment_link_id AND a.id = due.id
   RETURNING a.merchant_account_id AS "merchantAccountId", a.payment_link_id AS "paymentLinkId", a.id,
     a.created_at AS "createdAt", a.look_at AS "lookAt"`,
);

export type DueRequest = { readonly now: Date; readonly lookAt: Date; readonly limit: number };

/** Takes up attempts that are due; somebody else looks at them only after `lookAt`, or when their transactions move on. */
export const claimDueAttempts = (db: Db, due: DueRequest): Promise<readonly LeasedAttempt[]> =>
  db.query<LeasedAttempt>(dueStatement(due));

const identity = ({ merchantAccountId, paymentLinkId, id }: Attempt) => ({
  merchantAccountId,
  paymentLinkId,
  id,
});
