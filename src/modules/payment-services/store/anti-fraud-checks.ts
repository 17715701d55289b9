import type { AntiFraudDecision } from '../../../connectors/anti-fraud/connector.ts';
import type { Db } from '../../../platform/db.ts';
import type { AntiFraudCheck as Row } from '../../../platform/generated/prisma/client.ts';
import type { FraudDecision } from '../anti-fraud/fraud-decision.ts';

/** Which check: a transaction has one. */
export type CheckKey = { readonly merchantAccountId: string; readonly transactionId: string };

/**
 * Writes that a transaction is about to be checked, unless that was written before. Answers the decision when there is one;
 * null when the third party is to be asked, perhaps again.
 */
export async function beginCheck(
  db: Db,
  key: CheckKey,
  asked: { readonly antiFraudServiceId: string; readonly interfaceVersion: string; readonly now: Date },
): Promise<FraudDecision | null> {
  const { now: createdAt, ...service } = asked;
  const { count } = await db.prisma.antiFraudCheck.createMany({
    data: { ...key, ...service, createdAt },
    skipDuplicates: true,
  });
  return count === 1 ? null : await findDecided(db, key);
}

/** Writes the decision of a check that is pending. False when it was decided before, and nothing is written. */
export async function decideCheck(
  { prisma }: Db,
  { merchantAccountId, transactionId }: CheckKey,
  decision: FraudDecision,
  now: Date,
): Promise<boolean> {
  const { count } = await prisma.antiFraudCheck.updateMany({
    where: { merchantAccountId, transactionId, decidedAt: null },
    data: { ...decision, decidedAt: now },
  });
  return count === 1;
}

/** The decision of a check; null while it is pending, and when there is none. */
export async function findDecided(
  { prisma }: Db,
  { merchantAccountId, transactionId }: CheckKey,
): Promise<FraudDecision | null> {
  const row = await prisma.antiFraudCheck.findFirst({
    where: { merchantAccountId, transactionId, decidedAt: { not: null } },
  });
  return row && fromRow(row);
}

/** The columns of a decided check hold what `decideCheck` put there; the database checks the words. */
const fromRow = ({ decision, cause, ...row }: Row): FraudDecision => ({
  antiFraudServiceId: row.antiFraudServiceId,
  decision: decision as AntiFraudDecision,
  interfaceVersion: row.interfaceVersion,
  cause: cause as FraudDecision['cause'],
  reference: row.reference,
  rawResponseCode: row.rawResponseCode,
  rawResponseDescription: row.rawResponseDescription,
});
