import type { PageRequest } from '../../../../kernel/page.ts';
import { lockName, type Db, type Tx } from '../../../../platform/database/db.ts';
import type { ReplayJob as Row } from '../../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../../platform/ids.ts';
import type { ReplayJob, ReplayJobState, ReplayScope } from './replay-job.ts';

/**
 * Inserts a job. Returns false if the endpoint already has `runningMax` running jobs. Concurrent inserts for the same
 * endpoint wait for this transaction, so that the count is right.
 */
export async function insertJob(tx: Tx, job: ReplayJob, runningMax: number): Promise<boolean> {
  const { webhookEndpointId: endpointId, queuedCount: queued, ...columns } = job;
  await lockName(tx, `replay_job.count ${endpointId}`);
  const running = { merchantAccountId: job.merchantAccountId, endpointId, state: 'running' };
  if ((await tx.replayJob.count({ where: running })) >= runningMax) return false;
  await tx.replayJob.create({ data: { ...columns, endpointId, queued, updatedAt: job.createdAt } });
  return true;
}

/** Returns true if the merchant account has this endpoint and has not deleted it. */
export async function endpointExists(tx: Tx, merchantAccountId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const where = { merchantAccountId, id, deletedAt: null };
  return (await tx.webhookEndpoint.findFirst({ where, select: { id: true } })) !== null;
}

/** Returns the merchant account's jobs of the ids, in no order. */
export async function findJobs(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly ReplayJob[]> {
  const where = { merchantAccountId, id: { in: ids.filter((id) => isUuid(id)) } };
  return (await prisma.replayJob.findMany({ where })).map(fromRow);
}

/** Returns a page with one additional row, newest first, or backward oldest first. A cursor must be a UUID. */
export async function listJobs(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  endpointId: string | null,
): Promise<readonly ReplayJob[]> {
  const rows = await prisma.replayJob.findMany({
    where: {
      merchantAccountId,
      ...(endpointId === null ? {} : { endpointId }),
      ...(cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } }),
    },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(fromRow);
}

/** Ends a running job after its current chunk. An ended job stays unchanged. */
export async function endJob(db: Db, merchantAccountId: string, id: string, now: Date): Promise<void> {
  if (!isUuid(id)) return;
  const where = { merchantAccountId, id, state: 'running' };
  const data = { state: 'cancelled', endedAt: now, updatedAt: now };
  await db.transaction((tx) => tx.replayJob.updateMany({ where, data }));
}

const fromRow = (row: Row): ReplayJob => ({
  merchantAccountId: row.merchantAccountId,
  id: row.id,
  webhookEndpointId: row.endpointId,
  // CHECK constraints allow no other values.
  scope: row.scope as ReplayScope,
  state: row.state as ReplayJobState,
  fromSequence: row.fromSequence,
  untilSequence: row.untilSequence,
  doneSequence: row.doneSequence,
  queuedCount: row.queued,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
});
