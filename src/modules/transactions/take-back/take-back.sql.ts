import { ACTS } from '../../../platform/database/acting.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import { assignments, valuesOf, type VersionedState, type Written } from '../settle/apply.sql.ts';
import { effectExpressions } from '../settle/effects.sql.ts';
import { EVENTS, HISTORY, recordValues } from '../settle/records.sql.ts';
import { REVERSED_COLUMNS, TAKEN_BACK_COLUMNS, type TakeBackChanges } from './take-back-changes.ts';

/** Applies only to the version that was decided on, so that two reports of one reversal cannot both be booked. */
const GUARDED = `
  locked AS (
    SELECT t.merchant_account_id, t.id FROM transaction t
    WHERE t.merchant_account_id = @account AND t.id = @transaction AND t.xmin = @version::xid FOR NO KEY UPDATE),
  settled AS (
    UPDATE operation o SET ${assignments('operation', REVERSED_COLUMNS)}
    FROM locked l WHERE o.merchant_account_id = @account AND o.id = @operation AND o.status = 'succeeded'
      AND o.reversed_amount = @reversedBefore RETURNING o.*),
  changed AS (
    UPDATE transaction t SET ${assignments('transaction', TAKEN_BACK_COLUMNS)}
    FROM settled s WHERE ${rowOf('t', 's', 'transaction_id')} RETURNING t.*),
  written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c)`;

const LEDGER = `
  ledger AS (
    INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, reversal_key,
      created_at)
    SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, e.reversal_key, @now
    FROM settled s CROSS JOIN unnest(@ledgerIds::uuid[], @ledgerKinds::text[], @ledgerAmounts::int[], @reversalKeys::text[])
      AS e (id, kind, amount, reversal_key))`;

const statement = (name: string, effects: readonly string[]) =>
  prepare(
    name,
    `WITH ${[GUARDED, LEDGER, EVENTS, HISTORY, ...effects].join(',')}
     SELECT operation, transaction FROM written WHERE ${ACTS}`,
  );

/** The end of an authorisation has the effects of a void. */
const statements = {
  reversed: statement('reverse_operation', []),
  expired: statement('expire_authorization', effectExpressions('void', 'succeeded')),
} as const;

/** Writes a reversal or an expiry in one commit. Null means that the transaction has a later version. */
export async function writeTakeBack(
  db: Pick<Db, 'query'>,
  { operation, transaction, version }: VersionedState,
  changes: TakeBackChanges,
  environment: 'production' | 'sandbox',
): Promise<Written | null> {
  const { merchantAccountId } = operation;
  const [row] = await db.query<{ operation: JsonRow; transaction: JsonRow }>(
    statements[changes.kind]({
      account: merchantAccountId,
      operation: operation.id,
      transaction: transaction.id,
      version,
      reversedBefore: operation.reversedAmount,
      now: changes.now,
      environment,
      ...valuesOf('operation', REVERSED_COLUMNS, changes.operation),
      ...valuesOf('transaction', TAKEN_BACK_COLUMNS, { ...transaction, ...changes.transaction }),
      ledgerIds: changes.ledger.map(({ id }) => id),
      ledgerKinds: changes.ledger.map(({ kind }) => kind),
      ledgerAmounts: changes.ledger.map(({ amount }) => amount),
      reversalKeys: changes.ledger.map(({ reversalKey }) => reversalKey),
      ...recordValues(changes, { merchantAccountId, environment, createdAt: changes.now }),
      ...changes.effects,
    }),
  );
  return row ? { operation: toOperation(row.operation), transaction: toTransaction(row.transaction) } : null;
}
