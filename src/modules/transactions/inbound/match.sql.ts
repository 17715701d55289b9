import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf, type Statement } from '../../../platform/database/statement.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { toOperation, toTransaction, type JsonRow } from '../model/rows.sql.ts';
import { saleOf } from '../model/fragments.sql.ts';
import { verbsLike } from '../notices/names.ts';
import { behind } from './behind.sql.ts';

/** A transaction that may match a notice, and one of its operations with the notice's verb. */
export type Found = {
  readonly transaction: Transaction;
  /** Null without an operation of the verb. */
  readonly operation: Operation | null;
  /** True while an older webhook of the operation has its turn. */
  readonly isBehind: boolean;
};

/**
 * Condition: the operation has the notice's verb. A sale has no capture operation, so a capture notice for a sale matches its
 * authorisation. A release is a cancel for the provider. An unsent operation matches nothing, because no provider knows it.
 */
const OF_VERB = `NOT o.unsent AND (o.kind = @verb OR (@verb IN ('cancel', 'void') AND o.kind = 'release') OR (@verb = 'capture' AND o.kind = 'authorize' AND ${saleOf('t')}))`;

const JOINED = `operation o
  JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}`;

// A key under another verb is the name of another operation of the same payment. A provider may copy the authorisation's
// name to a refund that a person makes. The provider's id tells which refund the notice is about.
const OF_COPY = `(SELECT row_to_json(m) FROM operation m
  WHERE m.merchant_account_id = o.merchant_account_id AND m.transaction_id = o.transaction_id AND m.kind = @verb
    AND m.payment_service_id = @service AND m.provider_reference = @own::text LIMIT 1)`;

const byKeyStatement = prepare(
  'match_webhook_by_key',
  `SELECT row_to_json(t) AS transaction, CASE WHEN ${OF_VERB} THEN row_to_json(o) ELSE ${OF_COPY} END AS operation,
     ${behind('@key::uuid')} AS "isBehind"
   FROM ${JOINED}
   WHERE o.merchant_account_id = @account AND (o.id = @key AND o.provider_key IS NULL OR o.provider_key = @key)
     AND o.payment_service_id = @service AND (NOT o.unsent OR o.kind <> @verb)`,
);

const OF_SERVICE = `o.payment_service_id = @service AND ${OF_VERB}`;

// An operation from after the notice cannot match by its payment. Clocks may differ, so `matchOf` decides about those in
// between. An operation with another reference cannot match. A pending cancel carries the payment's reference in place of its
// own. So does a sale, whose capture has another id. Our own key stands in for an id that nobody knew.
const POSSIBLE = `${OF_SERVICE} AND o.created_at <= @receivedAt::timestamptz + interval '15 minutes'`;
const NOT_ANOTHER = `(@own::text IS NULL OR o.provider_reference IS NULL OR o.provider_reference = @own
  OR o.provider_reference IN (o.id::text, o.provider_key::text) OR (o.kind = 'cancel' AND o.status = 'pending')
  OR (@verb = 'capture' AND o.kind = 'authorize'))`;

const byReferenceStatement = prepare(
  'match_webhook_by_reference',
  `SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation, ${behind('coalesce(o.provider_key, o.id)')} AS "isBehind"
   FROM (
     SELECT t.merchant_account_id, t.id AS transaction_id, o.id AS operation_id FROM transaction t
     LEFT JOIN operation o ON o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
       AND ${POSSIBLE} AND ${NOT_ANOTHER}
     WHERE t.merchant_account_id = @account AND t.payment_service_id = @service
       AND t.payment_service_transaction_id = @payment::text COLLATE "C"
     UNION
     SELECT o.merchant_account_id, o.transaction_id, o.id FROM ${JOINED}
     WHERE o.merchant_account_id = @account AND o.provider_reference = @own::text AND ${OF_SERVICE}) found
   JOIN transaction t ON t.merchant_account_id = found.merchant_account_id AND t.id = found.transaction_id
   LEFT JOIN operation o ON o.merchant_account_id = found.merchant_account_id AND o.id = found.operation_id
   LIMIT 50`,
);

// A refund that a person makes may name its capture alone. The capture of a sale has an id that is in no row.
const byCaptureStatement = prepare(
  'match_webhook_by_capture',
  `SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation, ${behind('coalesce(o.provider_key, o.id)')} AS "isBehind"
   FROM operation c
   JOIN transaction t ON ${rowOf('t', 'c', 'transaction_id')}
   LEFT JOIN operation o ON o.merchant_account_id = c.merchant_account_id AND o.transaction_id = c.transaction_id
     AND ${POSSIBLE} AND ${NOT_ANOTHER}
   WHERE c.merchant_account_id = @account AND c.provider_reference = @capture AND c.payment_service_id = @service
     AND c.kind IN ('authorize', 'capture')
   LIMIT 50`,
);

const byAuthorizationStatement = prepare(
  'match_webhook_by_authorization',
  `SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation, ${behind('coalesce(o.provider_key, o.id), @key::uuid')} AS "isBehind"
   FROM operation a
   JOIN transaction t ON ${rowOf('t', 'a', 'transaction_id')}
   LEFT JOIN operation o ON o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.transaction_id
     AND ${POSSIBLE} AND ${NOT_ANOTHER}
   WHERE a.merchant_account_id = @account AND (a.id = @key AND a.provider_key IS NULL OR a.provider_key = @key)
     AND a.payment_service_id = @service AND a.kind = 'authorize'
   LIMIT 50`,
);

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
