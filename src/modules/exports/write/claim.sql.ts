import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
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
     e.failures, e.lease, e.byte_order_mark AS "byteOrderMark", e.created_at AS "createdAt"`,
);

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
const PIECE_BYTES = 65_536;

const NOTHING: Added = { content: Buffer.alloc(0), rows: 0, position: null };

// The text goes to Postgres as it is. Prisma would send it as letters, and keep hundreds of megabytes of them. The lock of the row
// lets one process write at a time.
const recordStatement = prepare(
  'record_export_chunk',
  `WITH changed AS (
     UPDATE export SET status = coalesce(@status::text, status), failure_reason = @failureReason::text, failures = @failures::int,
       next_at = @nextAt::timestamptz, ended_at = @endedAt::timestamptz, expires_at = @expiresAt::timestamptz, lease = NULL,
       filter = CASE WHEN @status::text IS NULL THEN filter END, position = coalesce(@position::text, position),
       rows_written = rows_written + @rows::int, bytes = bytes + length(@content::bytea), chunks = chunks + @pieces::int
     WHERE merchant_account_id = @merchantAccountId::text AND id = @id::uuid AND lease = @lease::uuid AND status = 'running'
     RETURNING merchant_account_id, id, chunks),
   added AS (
     INSERT INTO export_chunk (merchant_account_id, export_id, number, content)
     SELECT c.merchant_account_id, c.id, c.chunks - @pieces::int + n,
       substring(@content::bytea FROM (n - 1) * ${PIECE_BYTES} + 1 FOR ${PIECE_BYTES})
     FROM changed c, generate_series(1, @pieces::int) n)
   SELECT count(*)::int AS count FROM changed`,
);

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
