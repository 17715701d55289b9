import type { SessionData } from '../../../connectors/sessions.ts';
import type { Db } from '../../../platform/db.ts';
import { prepare, rowOf } from '../../../platform/statement.ts';
import { CONNECTION_COLUMNS, type ConnectionRow } from '../../payment-services/index.ts';
import type { Operated } from '../model/operation.ts';
import type { Approval } from './approval.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../model/rows.sql.ts';

/** What a session is asked with. */
export type SessionSubject = Operated & { readonly connection: ConnectionRow };

const readStatement = prepare(
  'session_read',
  `SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction, ${CONNECTION_COLUMNS} AS connection
   FROM operation o
   JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
   JOIN payment_service s ON ${rowOf('s', 'o', 'payment_service_id')}
   WHERE o.merchant_account_id = @account AND o.id = @operation`,
);

/** The authorisation that waits for a client, and whom to ask about it. */
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

const keepStatement = prepare(
  'session_keep',
  `UPDATE approval SET session_data = @data::jsonb
   WHERE merchant_account_id = @account AND operation_id = @operation AND kind = 'session' AND session_data IS NULL`,
);

/** Keeps what the client is given. The first that is kept stays: of several at once, all are given the same. */
export async function keepSession(
  db: Db,
  { merchantAccountId: account, operationId: operation }: Approval,
  data: SessionData,
): Promise<void> {
  await db.query(keepStatement({ account, operation, data: JSON.stringify(data) }));
}

const completeStatement = prepare(
  'session_complete',
  `WITH completed AS (
     UPDATE approval a SET state = 'approved', decided_at = @now
     WHERE a.completion_digest = @digest AND a.state = 'pending' AND a.approved_at IS NOT NULL AND a.expires_at > @now
       AND EXISTS (SELECT FROM operation o
         JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
         WHERE ${rowOf('o', 'a', 'operation_id')} AND o.status = 'pending'
           AND NOT t.void_pending)
     RETURNING merchant_account_id, operation_id)
   UPDATE operation o
   SET next_attempt_at = CASE WHEN o.lease_until > @now THEN @now ELSE least(o.next_attempt_at, @nextAttemptAt) END
   FROM completed d
   WHERE ${rowOf('o', 'd', 'operation_id')} AND o.status = 'pending'`,
);

/**
 * Writes down, once, that the client completes the payment: after the buyer has approved, in time, and not while the payment is
 * being cancelled. Otherwise nothing is written. `nextAttemptAt`: when reconciliation has it carried out, if nobody has by then;
 * at once when somebody is asking the provider at this moment, for they have not told it.
 */
export async function noteCompletion(
  db: Db,
  digest: string,
  { now, nextAttemptAt }: { readonly now: Date; readonly nextAttemptAt: Date },
): Promise<void> {
  await db.query(completeStatement({ digest, now, nextAttemptAt }));
}
