import type pg from 'pg';
import { environmentOf } from '../process/config.ts';
import type { Db } from './db.ts';
import { OperatorError } from '../operator-error.ts';

/** Reads a fact about this installation, for example that it was provisioned. Null when the fact is not recorded. */
export async function readFact(db: Db, name: string): Promise<string | null> {
  const fact = await db.prisma.installationFact.findFirst({ where: { name } });
  return fact?.value ?? null;
}

/** Reads a fact over a connection of the caller. Null when the fact is not recorded. */
export async function readFactOn(client: Pick<pg.Client, 'query'>, name: string): Promise<string | null> {
  const text = 'SELECT value FROM installation_fact WHERE name = $1';
  return (await client.query<{ value: string }>(text, [name])).rows[0]?.value ?? null;
}

/** Records a fact for good. A recorded fact stays unchanged. */
export async function recordFact(
  db: Db,
  fact: { name: string; value: string; createdAt: Date },
): Promise<void> {
  await db.prisma.installationFact.createMany({ data: [fact], skipDuplicates: true });
}

/** The fact that says what a database is for: `sandbox` or `production`. Absent before the first start. */
export const KIND = 'installation.kind';

/** A fact that only a sandbox records. It tells the kind of a database from before the kind was recorded. */
const OF_SANDBOXES = 'sandbox.payment_service';

/**
 * Records what a database is for, at its first start: a sandbox or production. Throws an OperatorError when the database
 * has the other kind. Two first starts at once agree on one kind. Nothing changes the recorded kind.
 */
export async function claimInstallation(db: Db, production: boolean, now: Date): Promise<void> {
  const isSandbox = !production || (await readFact(db, OF_SANDBOXES)) !== null;
  await recordFact(db, { name: KIND, value: isSandbox ? 'sandbox' : 'production', createdAt: now });
  await requireInstallation(db, production);
}

/** Throws an OperatorError when a database is recorded as the other kind. Writes nothing. */
export async function requireInstallation(db: Db, production: boolean): Promise<void> {
  const kind = (await readFact(db, KIND)) ?? ((await readFact(db, OF_SANDBOXES)) === null ? null : 'sandbox');
  if (kind === null || kind === environmentOf({ production })) return;
  throw new OperatorError(
    production
      ? 'This database belongs to a sandbox, so production refuses it. Set DATABASE_URL to a database of its own.'
      : 'This database belongs to production, so a sandbox refuses it. Set NODE_ENV=production, or DATABASE_URL to another database.',
  );
}
