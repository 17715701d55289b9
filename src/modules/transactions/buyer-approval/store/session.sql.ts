import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { ConnectionRow } from '../../../payment-services/index.ts';
import type { Operated } from '../../model/operation.ts';
import type { Approval, StoredSession } from './approval.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../../rows/rows.sql.ts';

/** The operation of a session, with its payment service. */
export type SessionSubject = Operated & { readonly connection: ConnectionRow };

const readStatement = prepareFile(import.meta, 'session-read.sql');

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

const storeStatement = prepareFile(import.meta, 'session-store.sql');

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

const completeStatement = prepareFile(import.meta, 'session-complete.sql');

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
