import type { Db } from '../../../platform/database/db.ts';
import type { Metadata } from '../../../platform/input/metadata.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/** The new values of a transaction. An absent field keeps its value, and null clears the field. */
export type TransactionUpdate = {
  readonly externalIdentifier?: string | null | undefined;
  readonly metadata?: Metadata | null | undefined;
};

/** The row to change, with the time and the ids of what the change records. */
export type UpdateOf = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly historyId: string;
  readonly eventId: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
};

const STATEMENT = prepareFile(import.meta, 'update-transaction.sql');

/**
 * Changes the merchant's own data of a transaction, and writes the event and the history entry. All is one statement and one
 * commit. Returns null and writes nothing when no value differs, or when the account has no such transaction.
 */
export async function writeUpdate(
  db: Db,
  { merchantAccountId, transactionId, ...of }: UpdateOf,
  { externalIdentifier, metadata }: TransactionUpdate,
): Promise<Transaction | null> {
  const [row] = await db.query<{ transaction: JsonRow }>(
    STATEMENT({
      account: merchantAccountId,
      transaction: transactionId,
      setsIdentifier: externalIdentifier !== undefined,
      externalIdentifier: externalIdentifier ?? null,
      setsMetadata: metadata !== undefined,
      metadata: metadata == null ? null : JSON.stringify(metadata),
      historyId: of.historyId,
      eventA: of.eventId,
      environment: of.environment,
      now: of.now,
    }),
  );
  return row ? toTransaction(row.transaction) : null;
}
