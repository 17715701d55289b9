import type { PageRequest } from '../../../kernel/page.ts';
import { readRows } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';
import type { Operation } from '../model/operation.ts';
import { toClaim } from '../claim/claim-row.sql.ts';
import type { TakenOverClaim } from '../claim/claim.ts';
import { OPERATION_COLUMNS } from '../rows/columns.sql.ts';
import type { TakenOverRow } from '../claim/leases.sql.ts';

const pageStatement = (direction: PageRequest['direction']) =>
  prepare(
    `read_unresolved_${direction}`,
    `SELECT ${OPERATION_COLUMNS.whole.select('o')} FROM operation o
     WHERE o.merchant_account_id = @account AND o.status = 'pending' AND o.unknown_at IS NOT NULL
       AND o.id ${direction === 'forward' ? '<' : '>'} coalesce(@cursor::uuid, ${FURTHEST[direction]})
     ORDER BY o.id ${direction === 'forward' ? 'DESC' : 'ASC'} LIMIT @limit`,
  );

/** Positions beyond every row, so that the first page queries the index like the next page. */
const FURTHEST = {
  forward: `'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`,
  backward: `'00000000-0000-0000-0000-000000000000'::uuid`,
} as const;

const pages = { forward: pageStatement('forward'), backward: pageStatement('backward') } as const;

/** Reads operations of unknown outcome, one more than the page. Newest first going forward, oldest first going backward. */
export async function readUnresolved(
  db: Db,
  account: string,
  { direction, limit, cursor }: PageRequest,
): Promise<readonly Operation[]> {
  const statement = pages[direction]({ account, cursor, limit: limit + 1 });
  return await readRows(db, statement, OPERATION_COLUMNS.whole);
}

export type Resolution = {
  readonly merchantAccountId: string;
  readonly operationId: string;
  /** The person, the resolution and the reason. The history keeps them for ever. */
  readonly audit: Readonly<Record<string, string | null>>;
  readonly historyId: string;
  readonly now: Date;
  readonly leaseUntil: Date;
};

const claimStatement = prepareFile(import.meta, 'claim-resolution.sql');

/** Claims an operation of unknown outcome for its resolution and records the person. Null when the outcome is not unknown. */
export async function claimResolution(db: Db, resolution: Resolution): Promise<TakenOverClaim | null> {
  const [row] = await db.query<TakenOverRow>(
    claimStatement({
      account: resolution.merchantAccountId,
      operation: resolution.operationId,
      audit: JSON.stringify(resolution.audit),
      historyId: resolution.historyId,
      now: resolution.now,
      leaseUntil: resolution.leaseUntil,
    }),
  );
  return row ? toClaim(row) : null;
}
