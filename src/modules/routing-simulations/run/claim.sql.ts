import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { PastPlace } from '../../transactions/index.ts';
import type { SimulationResult } from '../model/result.ts';
import { tallyToText, type Tally } from '../model/tally.ts';
import type { Simulation } from '../simulation.ts';

/** A simulation whose next pages a process reads. Nobody else writes until the end of the lease. */
export type Claimed = Pick<
  Simulation,
  'merchantAccountId' | 'id' | 'versionId' | 'from' | 'to' | 'sample' | 'createdAt'
> & {
  /** The last payment that was read. Null before the first page. */
  readonly place: PastPlace | null;
  /** The counts so far as text, which `tallyFromText` reads. Null before the first page. */
  readonly tally: string | null;
  /** The failures in a row, with the processes that died at the work. */
  readonly failures: number;
  readonly lease: string;
};

const claimStatement = prepareFile(import.meta, 'claim-routing-simulation.sql');

type Claim = { readonly now: Date; readonly leaseUntil: Date; readonly lease: string };

type Row = Omit<Claimed, 'place'> & {
  readonly placeAt: Date | null;
  readonly placeId: string | null;
};

/** Claims the simulation that has waited longest, of any merchant account. Null when none is due. */
export async function claimSimulation(db: Db, claim: Claim): Promise<Claimed | null> {
  const [row] = await db.query<Row>(claimStatement(claim));
  if (!row) return null;
  const { placeAt, placeId, ...claimed } = row;
  return { ...claimed, place: placeAt && placeId !== null ? { createdAt: placeAt, id: placeId } : null };
}

/** The pages that were read, and the counts after them. */
export type ReadPages = {
  readonly tally: Tally;
  readonly scanned: number;
  readonly place: PastPlace | null;
};

export type Change = {
  readonly failures: number;
  readonly nextAt: Date;
  readonly read?: ReadPages;
  readonly end?: {
    readonly status: 'succeeded' | 'failed';
    readonly endedAt: Date;
    readonly result: SimulationResult | null;
  };
};

const recordStatement = prepareFile(import.meta, 'record-routing-simulation.sql');

/**
 * Writes what was counted, and gives the lease back. Commits once. Writes nothing if another process has the lease or the simulation
 * was cancelled.
 */
export async function recordPages(
  db: Db,
  { merchantAccountId, id, lease }: Claimed,
  { failures, nextAt, read, end }: Change,
): Promise<void> {
  await db.query(
    recordStatement({
      ...{ merchantAccountId, id, lease, failures, nextAt },
      ...{
        scanned: read?.scanned ?? 0,
        placeAt: read?.place?.createdAt ?? null,
        placeId: read?.place?.id ?? null,
      },
      tally: read && !end ? tallyToText(read.tally) : null,
      ...{ status: end?.status ?? null, endedAt: end?.endedAt ?? null },
      result: end?.result ? JSON.stringify(end.result) : null,
    }),
  );
}
