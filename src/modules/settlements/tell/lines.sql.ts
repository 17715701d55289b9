import { readRows } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';
import { SETTLEMENT_COLUMNS } from '../find.sql.ts';
import type { Settlement } from '../settlement.ts';
import { toSettlement } from '../store.ts';

/** An entry about a payment, as it is claimed. */
export type SettlementLine = Settlement & {
  readonly transactionId: string;
  /** The end of the lease, in which no other process claims the entry. */
  readonly tellAt: Date;
};

const claimStatement = prepare(
  'claim_settlement_lines',
  `WITH due AS (
     SELECT merchant_account_id, id FROM settlement WHERE tell_at <= @now
       AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
     ORDER BY tell_at LIMIT @limit FOR NO KEY UPDATE SKIP LOCKED)
   UPDATE settlement s SET tell_at = @leaseUntil FROM due d
   WHERE s.merchant_account_id = d.merchant_account_id AND s.id = d.id
   RETURNING ${SETTLEMENT_COLUMNS.select('s')}`,
);

/** Claims entries whose payments are to be told now, of every merchant account. Commits once. */
export async function claimLines(
  db: Db,
  claim: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<readonly SettlementLine[]> {
  const rows = (await readRows(db, claimStatement(claim), SETTLEMENT_COLUMNS)).map(toSettlement);
  return rows.flatMap(({ transactionId, tellAt, ...line }) =>
    transactionId === null || tellAt === null ? [] : [{ ...line, transactionId, tellAt }],
  );
}

const releaseStatement = prepareFile(import.meta, 'release-settlement-line.sql');

/** Releases a claimed entry. `tellAt`: the next moment to tell the payment, or null when nothing is left. Commits once. */
export async function releaseLine(
  db: Db,
  { merchantAccountId: account, id, tellAt: leaseUntil }: SettlementLine,
  tellAt: Date | null,
): Promise<void> {
  await db.query(releaseStatement({ account, id, leaseUntil, tellAt }));
}

const rematchStatement = prepareFile(import.meta, 'rematch-settlements-of-payment.sql');

/**
 * Lets the open differences of a payment be matched again at once, because an operation was booked. A hint: they are matched
 * again at their own times too. Commits once.
 */
export async function rematchSettlementsOf(
  db: Db,
  {
    merchantAccountId: account,
    transactionId: transaction,
  }: { readonly merchantAccountId: string; readonly transactionId: string },
  now: Date,
): Promise<void> {
  await db.query(rematchStatement({ account, transaction, now }));
}
