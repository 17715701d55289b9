import type { Db } from '../../../platform/database/db.ts';

export type Purpose = 'passkey_sign_in' | 'passkey_creation' | 'oidc';

/** A challenge that is answered once. The challenge itself is not stored. */
export type Challenge = {
  readonly digest: string;
  readonly purpose: Purpose;
  readonly personId: string | null;
  readonly expiresAt: Date;
};

/** Keeps a challenge, and removes the expired ones. */
export async function insertChallenge(db: Db, challenge: Challenge, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.dashboardChallenge.deleteMany({ where: { expiresAt: { lte: now } } });
    await tx.dashboardChallenge.create({ data: challenge });
  });
}

/** Takes a challenge. False if it is unknown, used, expired, or of another purpose or person. */
export async function removeChallenge(
  db: Db,
  { digest, purpose, personId }: Omit<Challenge, 'expiresAt'>,
  now: Date,
): Promise<boolean> {
  const where = { digest, purpose, personId, expiresAt: { gt: now } };
  const { count } = await db.transaction((tx) => tx.dashboardChallenge.deleteMany({ where }));
  return count === 1;
}
