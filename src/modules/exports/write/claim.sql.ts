import type { Db } from '../../../platform/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { prepare } from '../../../platform/statement.ts';
import { filterFromJson, type Export, type ExportFailure, type GivenFilter } from '../export.ts';
import type { Written } from './file.ts';

/** An export whose next chunk a process writes. Nobody else writes until the end of the lease. */
export type Claimed = Pick<Export, 'merchantAccountId' | 'id' | 'type' | 'format' | 'createdAt'> & {
  readonly filter: GivenFilter;
  readonly position: string | null;
  readonly chunks: number;
  readonly failures: number;
  readonly lease: string;
};

// The lock of the row keeps a second process from the same export. A skipped row is claimed elsewhere.
const claimStatement = prepare(
  'claim_export',
  `WITH due AS (
     SELECT merchant_account_id, id FROM export
     WHERE status IN ('pending', 'running') AND next_at <= @now
     ORDER BY next_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
   UPDATE export e SET status = 'running', started_at = coalesce(e.started_at, @now), next_at = @leaseUntil,
     lease = @lease::uuid
   FROM due d WHERE e.merchant_account_id = d.merchant_account_id AND e.id = d.id
   RETURNING e.merchant_account_id AS "merchantAccountId", e.id, e.type, e.format, e.filter, e.position, e.chunks,
     e.failures, e.lease, e.created_at AS "createdAt"`,
);

type Claim = { readonly now: Date; readonly leaseUntil: Date; readonly lease: string };

/** Claims the export that has waited longest, of any merchant account. Null when none is due. */
export async function claimExport(db: Db, claim: Claim): Promise<Claimed | null> {
  type Row = Omit<Claimed, 'filter'> & { readonly filter: string };
  const [row] = await db.query<Row>(claimStatement(claim));
  return row ? { ...row, filter: filterFromJson(row.filter) } : null;
}

/** The columns that a chunk or a failure changes. Undefined keeps the value. */
type Change = {
  readonly status?: 'succeeded' | 'failed';
  readonly failureReason?: ExportFailure;
  readonly failures: number;
  readonly nextAt: Date;
  readonly endedAt?: Date;
  readonly expiresAt?: Date;
};

/** The addition of a chunk to the file, and the position of the records behind it. Null keeps the position. */
export type Added = Written & { readonly position: string | null };

const NOTHING: Added = { chunks: [], rows: 0, bytes: 0, position: null };

/**
 * Adds a chunk to the file and gives the lease back. Commits once: the chunks, the counts and the position. Returns false
 * and writes nothing if another process has the lease.
 */
export const recordChunk = (
  db: Db,
  { merchantAccountId, id, lease, position, chunks }: Claimed,
  change: Change,
  added = NOTHING,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { count } = await tx.export.updateMany({
      where: { merchantAccountId, id, lease, status: 'running' },
      data: {
        ...change,
        lease: null,
        position: added.position ?? position,
        rowsWritten: { increment: added.rows },
        bytes: { increment: added.bytes },
        chunks: chunks + added.chunks.length,
        ...(change.status && { filter: null }),
      },
    });
    if (count === 0) return false;
    await tx.exportChunk.createMany({
      data: added.chunks.map((content, index) => ({
        ...{ merchantAccountId, exportId: id, number: chunks + index + 1, content: Uint8Array.from(content) },
      })),
    });
    await failpoint('exports.writing');
    return true;
  });
