import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Metadata } from '../../../platform/input/metadata.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { modifiedEvent } from '../engine/claim-events.sql.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';
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

/** The history names the changed fields only, because their values may be personal data. */
const STATEMENT = prepare(
  'update_transaction',
  `
  WITH before AS (
    SELECT t.* FROM transaction t
    WHERE t.merchant_account_id = @account AND t.id = @transaction FOR NO KEY UPDATE),
  given AS (
    SELECT b.merchant_account_id, b.id,
      CASE WHEN @setsIdentifier::bool THEN @externalIdentifier::text ELSE b.external_identifier END AS external_identifier,
      CASE WHEN @setsMetadata::bool THEN @metadata::jsonb ELSE b.metadata END AS metadata
    FROM before b),
  changes AS (
    SELECT g.*, array_remove(ARRAY[
      CASE WHEN g.external_identifier IS DISTINCT FROM b.external_identifier THEN 'external_identifier' END,
      CASE WHEN g.metadata IS DISTINCT FROM b.metadata THEN 'metadata' END], NULL) AS fields
    FROM given g, before b),
  changed AS (
    UPDATE transaction t
    SET external_identifier = n.external_identifier, metadata = n.metadata, updated_at = @now
    FROM changes n
    WHERE t.merchant_account_id = @account AND t.id = @transaction AND n.fields <> '{}' RETURNING t.*),
  history_written AS (
    INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
    SELECT c.merchant_account_id, @historyId::uuid, c.id, 'transaction-modified-event',
      jsonb_build_object('fields', n.fields), ${ACTOR}::jsonb, @now
    FROM changed c, changes n),
  ${modifiedEvent('changed c')}
  SELECT row_to_json(c) AS transaction FROM changed c WHERE ${ACTS}`,
);

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
