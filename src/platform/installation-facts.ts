import type { Db } from './db.ts';

/** What is known of this installation, for example that it was provisioned; null when the fact is not recorded. */
export async function readFact(db: Db, name: string): Promise<string | null> {
  const fact = await db.prisma.installationFact.findFirst({ where: { name } });
  return fact?.value ?? null;
}

/** Records a fact for good. One that is recorded already stays as it is. */
export async function recordFact(
  db: Db,
  fact: { name: string; value: string; createdAt: Date },
): Promise<void> {
  await db.prisma.installationFact.createMany({ data: [fact], skipDuplicates: true });
}
