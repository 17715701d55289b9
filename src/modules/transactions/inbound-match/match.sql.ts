import type { Db } from '../../../platform/database/db.ts';
import { prepareFile, type Statement } from '../../../platform/database/statement.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import { verbsLike } from '../notices/names.ts';

/** A transaction that may match a notice, and one of its operations with the notice's verb. */
export type Found = {
  readonly transaction: Transaction;
  /** Null without an operation of the verb. */
  readonly operation: Operation | null;
  /** True while an older webhook of the operation has its turn. */
  readonly isBehind: boolean;
};

const byKeyStatement = prepareFile(import.meta, 'match-webhook-by-key.sql');

const byReferenceStatement = prepareFile(import.meta, 'match-webhook-by-reference.sql');

const byCaptureStatement = prepareFile(import.meta, 'match-webhook-by-capture.sql');

const byAuthorizationStatement = prepareFile(import.meta, 'match-webhook-by-authorization.sql');

type Row = Pick<Found, 'isBehind'> & { readonly transaction: JsonRow; readonly operation: JsonRow | null };

/**
 * Finds the operations of the notice's payment service that may match. A notice with our key matches that operation, or its
 * payment alone if the operation has another verb.
 * A release may name our key of the authorisation that it ends. Without a key, operations of the verb match by the
 * provider's reference, or by the payment with that reference.
 */
export async function findMatch(db: Db, webhook: InboundWebhook, now: Date): Promise<readonly Found[]> {
  const rows = await db.query<Row>(matchStatement(webhook, now));
  return rows.map(({ transaction, operation, isBehind }) => ({
    transaction: toTransaction(transaction),
    operation: operation && toOperation(operation),
    isBehind,
  }));
}

function matchStatement(webhook: InboundWebhook, now: Date): Statement {
  const { merchantAccountId: account, paymentServiceId: service, notice, receivedAt, id } = webhook;
  const { key, verb, paymentReference: payment, authorizationKey = null, captureReference: capture } = notice;
  // The provider's id of an authorisation is also the id of the payment.
  const own = notice.reference ?? (verb === 'authorize' ? payment : null);
  const given = { account, service, verb, receivedAt, id, verbs: verbsLike(verb), own, now };
  if (key !== null) return byKeyStatement({ ...given, key });
  if (authorizationKey !== null) return byAuthorizationStatement({ ...given, key: authorizationKey });
  if (capture != null && payment === null) return byCaptureStatement({ ...given, capture });
  return byReferenceStatement({ ...given, payment });
}
