import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { CONNECTION_COLUMNS, type ConnectionRow } from '../../payment-services/index.ts';
import { RESUMED } from '../engine/resuming.sql.ts';
import type { Operated } from '../model/operation.ts';
import type { Approval, StoredSession } from './approval.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../model/rows.sql.ts';

/** The operation of a session, with its payment service. */
export type SessionSubject = Operated & { readonly connection: ConnectionRow };

const readStatement = prepare(
  'session_read',
  `SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction, ${CONNECTION_COLUMNS} AS connection
   FROM operation o
   JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
   JOIN payment_service s ON ${rowOf('s', 'o', 'payment_service_id')}
   WHERE o.merchant_account_id = @account AND o.id = @operation`,
);

/** Reads the authorisation that waits for a client, with its payment service. */
export async function readSessionSubject(
  db: Db,
  { merchantAccountId: account, operationId: operation }: Approval,
): Promise<SessionSubject> {
  type Row = { operation: JsonRow; transaction: JsonRow; connection: ConnectionRow };
  const [row] = await db.query<Row>(readStatement({ account, operation }));
  if (!row) throw new Error(`Operation ${operation} is gone`);
  return {
    ...row,
    operation: toOperation(row.operation),
    transaction: toTransaction(row.transaction),
  };
}

const storeStatement = prepare(
  'session_store',
  `UPDATE approval SET session_data = @data::jsonb, approved_at = CASE WHEN @atProvider THEN @now::timestamptz ELSE approved_at END
   WHERE merchant_account_id = @account AND operation_id = @operation AND kind = 'session' AND session_data IS NULL`,
);

/**
 * Stores the client's data. The first stored data stays, so that simultaneous callers get the same. The approval of a buyer in
 * the provider's software counts as given, because only the provider knows better.
 */
export async function storeSession(
  db: Db,
  { merchantAccountId: account, operationId: operation }: Approval,
  data: StoredSession,
  now: Date,
): Promise<void> {
  const atProvider = data.atProvider ?? false;
  await db.query(storeStatement({ account, operation, data: JSON.stringify(data), atProvider, now }));
}

const completeStatement = prepare(
  'session_complete',
  `WITH completed AS (
     UPDATE approval a SET state = 'approved', decided_at = @now, ${RESUMED}
     FROM operation o JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
     WHERE a.completion_digest = @digest AND a.state = 'pending' AND a.approved_at IS NOT NULL AND a.expires_at > @now
       AND ${rowOf('o', 'a', 'operation_id')} AND o.status = 'pending' AND NOT t.void_pending
     RETURNING a.merchant_account_id, a.operation_id)
   UPDATE operation o
   SET sealed_returned = coalesce(@sealed::text, o.sealed_returned), next_attempt_at = CASE WHEN o.lease_until > @now THEN @now ELSE least(o.next_attempt_at, @nextAttemptAt) END
   FROM completed d
   WHERE ${rowOf('o', 'd', 'operation_id')} AND o.status = 'pending'`,
);

/**
 * Records once that the client completes the payment. The buyer must have approved in time, and no cancel may be under
 * way. Otherwise writes nothing. The results of the client are `sealed`, or null. `nextAttemptAt` is the time when reconciliation carries the completion out. An
 * operation under a lease becomes due at once, because its process does not know of the completion.
 */
export async function recordCompletion(
  db: Db,
  digest: string,
  {
    sealed,
    now,
    nextAttemptAt,
  }: { readonly sealed: string | null; readonly now: Date; readonly nextAttemptAt: Date },
): Promise<void> {
  await db.query(completeStatement({ digest, sealed, now, nextAttemptAt }));
}
