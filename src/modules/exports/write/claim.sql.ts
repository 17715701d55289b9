import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { filterFromJson, type Export, type ExportFailure, type GivenFilter } from '../export.ts';
import type { Written } from './file.ts';

/** An export whose next chunk a process writes. Nobody else writes until the end of the lease. */
export type Claimed = Pick<
  Export,
  'merchantAccountId' | 'id' | 'type' | 'format' | 'byteOrderMark' | 'createdAt'
> & {
  readonly filter: GivenFilter;
  readonly position: string | null;
  readonly chunks: number;
  readonly failures: number;
  readonly lease: string;
};

const claimStatement = prepareFile(import.meta, 'claim-export.sql');

type Claim = { readonly now: Date; readonly leaseUntil: Date; readonly lease: string };

/** Claims the export that has waited longest, of any merchant account. Null when none is due. */
export async function claimExport(db: Db, claim: Claim): Promise<Claimed | null> {
  type Row = Omit<Claimed, 'filter'> & { readonly filter: string };
  const [row] = await db.query<Row>(claimStatement(claim));
  return row ? { ...row, filter: filterFromJson(row.filter) } : null;
}

/** The columns that a chunk or a failure changes. The end forgets the filter, because it may name a buyer. */
type Change = {
  readonly failures: number;
  readonly nextAt: Date;
  readonly end?: End;
};

type End = {
  readonly status: 'succeeded' | 'failed';
  readonly failureReason?: ExportFailure;
  readonly endedAt: Date;
  /** The end of the file. Without a file, nothing ends. */
  readonly expiresAt?: Date;
};

/** The addition of text to the file, and the position of the records behind it. Null keeps the position. */
export type Added = Written & { readonly position: string | null };

/** The size of a stored piece of the file. A download reads one at a time, and the memory of small texts is free again soonest. */
export const PIECE_BYTES = 65_536;

const NOTHING: Added = { content: Buffer.alloc(0), rows: 0, position: null };

const recordStatement = prepareFile(import.meta, 'record-export-chunk.sql');

/**
 * Adds a chunk to the file and gives the lease back. Commits once: the pieces of the chunk, the counts and the position. A piece ends
 * between bytes, so it is no unit of a reader, who gets the whole file. Writes nothing if another process has the lease.
 */
export async function recordChunk(
  db: Db,
  { merchantAccountId, id, lease }: Claimed,
  { end, failures, nextAt }: Change,
  { content, rows, position } = NOTHING,
): Promise<void> {
  await db.query(
    recordStatement({
      ...{ merchantAccountId, id, lease, failures, nextAt, position, rows, content },
      status: end?.status ?? null,
      failureReason: end?.failureReason ?? null,
      endedAt: end?.endedAt ?? null,
      expiresAt: end?.expiresAt ?? null,
      pieces: Math.ceil(content.length / PIECE_BYTES),
    }),
  );
}
