import type { Db } from './db.ts';

/** Reads a fact about this installation, for example that it was provisioned. Null when the fact is not recorded. */
export async function readFact(db: Db, name: string): Promise<string | null> {
  const fact = await db.prisma.installationFact.findFirst({ where: { name } });
  return fact?.value ?? null;
}

/** Records a fact for good. A recorded fact stays unchanged. */
export async function recordFact(
  db: Db,
  fact: { name: string; value: string; createdAt: Date },
): Promise<void> {
  await db.prisma.installationFact.createMany({ data: [fact], skipDuplicates: true });
}
