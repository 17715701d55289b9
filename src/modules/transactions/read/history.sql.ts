import { readRowsOfEach, type LineOrWhole } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { hidden, prepare, prepareFile } from '../../../platform/database/statement.ts';
import { HISTORY_COLUMNS } from '../rows/columns.sql.ts';
import type { HistoryEntry } from '../rows/history-entry.ts';
import type { PageRequest } from '../../../kernel/page.ts';

/** A history entry that is not the outcome of an operation. Settling writes the entries of outcomes. */
export type NewHistoryEntry = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
  readonly name: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly now: Date;
};

const recordStatement = prepareFile(import.meta, 'record-history.sql');

/** Adds an entry to the history of a transaction. No entry is ever changed or deleted. */
export async function recordHistory(db: Db, entry: NewHistoryEntry): Promise<void> {
  const { merchantAccountId: account, id, transactionId: transaction, name, context, now } = entry;
  await db.query(recordStatement({ account, id, transaction, name, context: JSON.stringify(context), now }));
}

const statementOf = (columns: LineOrWhole) =>
  prepare(
    `read_history_${columns}`,
    `SELECT wanted.ordinal::int, ${HISTORY_COLUMNS[columns].select('h')}
     FROM unnest(${hidden('@transactions::uuid[]')}, ${hidden('@cursors::uuid[]')}, ${hidden('@limits::int[]')}, ${hidden('@untils::timestamptz[]')})
       WITH ORDINALITY AS wanted (transaction_id, cursor, "limit", until, ordinal)
     CROSS JOIN LATERAL (
       SELECT * FROM history_entry h WHERE h.merchant_account_id = @account AND h.transaction_id = wanted.transaction_id
         AND h.id < coalesce(wanted.cursor, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         AND h.created_at <= coalesce(wanted.until, 'infinity')
       ORDER BY h.id DESC LIMIT wanted."limit") h
     ORDER BY wanted.ordinal, h.id DESC`,
  );

const statements = { line: statementOf('line'), whole: statementOf('whole') } as const;

/** Reads the entries of each request, newest first, one more than its page. One statement reads all histories. */
export async function readHistory(
  db: Db,
  account: string,
  requests: readonly HistoryRequest[],
  columns: LineOrWhole,
): Promise<readonly (readonly HistoryEntry[])[]> {
  const statement = statements[columns]({
    account,
    transactions: requests.map(({ transactionId }) => transactionId),
    cursors: requests.map(({ page }) => page.cursor),
    limits: requests.map(({ page }) => page.limit + 1),
    untils: requests.map(({ until }) => until),
  });
  return await readRowsOfEach(db, statement, HISTORY_COLUMNS[columns], requests.length);
}

/** A page of one transaction's history up to a moment, or up to now. The page's cursor is a checked id. */
export type HistoryRequest = {
  readonly transactionId: string;
  readonly page: PageRequest;
  readonly until: Date | null;
};
