import type { Checked } from '../../../connectors/anti-fraud/call.ts';
import type { AntiFraudDecision } from '../../../connectors/anti-fraud/connector.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { AntiFraudCheck as Row } from '../../../platform/generated/prisma/client.ts';

/**
 * The decision of a check and the service that was to make it. With `no_connector` the definition does not work here, so
 * nobody was called. Either no connector has the definition, or it is for the sandbox only. The interface version is then
 * `none`.
 */
export type FraudDecision = Omit<Checked, 'cause'> & {
  readonly cause: Checked['cause'] | 'no_connector';
  readonly antiFraudServiceId: string;
};

/** The interface version of a check that nobody was asked for. */
export const NO_VERSION = 'none';

/** The identity of a check. A transaction has one check. */
export type CheckKey = { readonly merchantAccountId: string; readonly transactionId: string };

/**
 * Records the check of a transaction, unless one is recorded already. Returns the decision if there is one. Returns
 * null when the caller must ask the third party, perhaps again.
 */
export async function beginCheck(
  db: Db,
  key: CheckKey,
  requested: { readonly antiFraudServiceId: string; readonly interfaceVersion: string; readonly now: Date },
): Promise<FraudDecision | null> {
  const { now: createdAt, ...service } = requested;
  const { count } = await db.prisma.antiFraudCheck.createMany({
    data: { ...key, ...service, createdAt },
    skipDuplicates: true,
  });
  return count === 1 ? null : await findDecided(db, key);
}

/** Writes the decision of a pending check. Returns false and writes nothing when the check is already decided. */
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

/** Finds the decision of a check. Null while the check is pending, and when there is none. */
export async function findDecided(
  { prisma }: Db,
  { merchantAccountId, transactionId }: CheckKey,
): Promise<FraudDecision | null> {
  const row = await prisma.antiFraudCheck.findFirst({
    where: { merchantAccountId, transactionId, decidedAt: { not: null } },
  });
  return row && fromRow(row);
}

type Asked = Pick<Row, 'merchantAccountId' | 'antiFraudServiceId'> & {
  readonly transactionIds: readonly string[];
};

/** Reads the decided checks of these payments that the service was asked for, in no order. */
export const findAskedChecks = (
  { prisma }: Db,
  { transactionIds, ...service }: Asked,
): Promise<readonly Pick<Row, 'transactionId' | 'reference'>[]> =>
  prisma.antiFraudCheck.findMany({
    where: {
      ...{ ...service, transactionId: { in: [...transactionIds] } },
      ...{ decidedAt: { not: null }, interfaceVersion: { not: NO_VERSION } },
    },
    select: { transactionId: true, reference: true },
  });

/** Converts a row. `decideCheck` wrote the columns of a decided check, and the database checks their values. */
const fromRow = ({ decision, cause, ...row }: Row): FraudDecision => ({
  antiFraudServiceId: row.antiFraudServiceId,
  decision: decision as AntiFraudDecision,
  interfaceVersion: row.interfaceVersion,
  cause: cause as FraudDecision['cause'],
  reference: row.reference,
  rawResponseCode: row.rawResponseCode,
  rawResponseDescription: row.rawResponseDescription,
});
