import { queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** The attempts of one person from one network. */
export type AttemptKey = {
  readonly merchantAccountId: string;
  readonly personId: string;
  readonly network: string;
};

/** The bounds of the attempts that count as wrong until they succeed. */
export type AttemptLimits = {
  /** Failures from one network without a wait. */
  readonly free: number;
  /** The wait after the first further failure, in seconds. Each failure doubles the wait. */
  readonly waitSeconds: number;
  /** The longest wait, in seconds. */
  readonly waitSecondsMost: number;
  /** Failures in an hour from all networks that the person never used. More are refused from such networks alone. */
  readonly strange: number;
};

const claimed = prepareFile(import.meta, 'claim-sign-in-attempt.sql');

/** Counts an attempt as failed before its password is looked at. False if the person must wait, and then counts nothing. */
export async function claimAttempt(
  db: Db,
  { merchantAccountId: account, personId: person, network }: AttemptKey,
  limits: AttemptLimits,
  now: Date,
): Promise<boolean> {
  const { free, strange, waitSeconds: wait, waitSecondsMost: waitMost } = limits;
  const values = { account, person, network, now, free, strange, wait, waitMost };
  return (await db.query(claimed(values))).length === 1;
}

/** Forgets the failures of a person from a network after a success there. */
export async function settleAttempt(
  tx: Tx,
  { merchantAccountId, personId, network }: AttemptKey,
  now: Date,
): Promise<void> {
  const key = { merchantAccountId, personId, network };
  await tx.dashboardSignIn.upsert({
    where: { merchantAccountId_personId_network: key },
    create: { ...key, failures: 0, failedAt: now, succeededAt: now },
    update: { failures: 0, succeededAt: now },
  });
}

const refusedSignIn = prepareFile(import.meta, 'audit-refused-sign-in.sql');

/** Writes the entry of a refused sign-in in the audit log. An unknown merchant account has none. */
export async function recordRefusedSignIn(
  db: Db,
  { account, person, fields }: { readonly account: string; readonly person: string; readonly fields: object },
): Promise<void> {
  await db.transaction((tx) =>
    queryIn(tx).query(refusedSignIn({ account, person, fields: JSON.stringify(fields) })),
  );
}

/** Removes counts that are older than a moment. */
export async function forgetAttempts(tx: Tx, before: Date): Promise<void> {
  await tx.dashboardSignIn.deleteMany({
    where: { failedAt: { lt: before }, OR: [{ succeededAt: null }, { succeededAt: { lt: before } }] },
  });
}
