import type { PageRequest } from '../../kernel/page.ts';
import { lockName, type Db, type Tx } from '../../platform/database/db.ts';
import type { RoutingSimulation as Row } from '../../platform/generated/prisma/client.ts';
import { isUuid } from '../../platform/ids.ts';
import type { SimulationResult } from './model/result.ts';
import type { Simulation, SimulationStatus } from './simulation.ts';

const UNFINISHED = { in: ['pending', 'running'] };

/** The columns that a reader sees. The counts so far may be large. */
const SHOWN = {
  ...{ merchantAccountId: true, id: true, versionId: true, from: true, to: true, sample: true },
  ...{ status: true, scanned: true, placeAt: true, result: true },
  ...{ createdAt: true, startedAt: true, endedAt: true },
} as const;

/**
 * Inserts a simulation. Returns false if the merchant account already has `unfinishedMax` unfinished ones. Concurrent inserts of one
 * merchant account wait for this transaction, so that the count is right.
 */
export async function insertSimulation(
  tx: Tx,
  { result: _none, ...simulation }: Simulation,
  unfinishedMax: number,
): Promise<boolean> {
  const { merchantAccountId, createdAt } = simulation;
  await lockName(tx, `routing-simulation.count ${merchantAccountId}`);
  const unfinished = await tx.routingSimulation.count({ where: { merchantAccountId, status: UNFINISHED } });
  if (unfinished >= unfinishedMax) return false;
  await tx.routingSimulation.create({ data: { ...simulation, nextAt: createdAt } });
  return true;
}

/** Cancels a simulation that has not ended. The lease goes, so a process that reads writes nothing more. */
export async function endUnfinished(
  db: Db,
  {
    merchantAccountId,
    id,
    now,
  }: { readonly merchantAccountId: string; readonly id: string; readonly now: Date },
): Promise<void> {
  if (!isUuid(id)) return;
  // A transaction tells the audit log the actor.
  await db.transaction((tx) =>
    tx.routingSimulation.updateMany({
      where: { merchantAccountId, id, status: UNFINISHED },
      data: { status: 'canceled', endedAt: now, tally: null, lease: null },
    }),
  );
}

/** Reads the merchant account's simulations of these ids, in no order. Unknown ids are left out. */
export async function readSimulations(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly Simulation[]> {
  const where = { merchantAccountId, id: { in: ids.filter(isUuid) } };
  return (await prisma.routingSimulation.findMany({ where, select: SHOWN })).map(toSimulation);
}

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function readSimulationPage(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly Simulation[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };
  const rows = await prisma.routingSimulation.findMany({
    where: { merchantAccountId, ...behind },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
    select: SHOWN,
  });
  return rows.map(toSimulation);
}

/** Converts a row. The database checks the status, and the worker wrote the result. */
const toSimulation = ({ status, result, ...row }: Pick<Row, keyof typeof SHOWN>): Simulation => ({
  ...row,
  status: status as SimulationStatus,
  result: result === null ? null : (JSON.parse(result) as SimulationResult),
});
