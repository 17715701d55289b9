import type { DisputeNotice } from '../../../connectors/disputes.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import type { InboundWebhook } from '../notices/webhook.ts';

/** A payment that a dispute may be about. Both operations are null unless they succeeded. */
export type Disputed = {
  readonly transaction: Transaction;
  /** The id of the authorisation or capture that the notice names. */
  readonly named: string | null;
  /** The id of the payment's authorisation at the payment service. */
  readonly authorization: string | null;
};

/** A dispute is about money that was taken, by a capture or by a sale. */
const OF_SERVICE = `o.payment_service_id = @service AND o.kind IN ('authorize', 'capture') AND NOT o.unsent`;

const SUCCEEDED = `CASE WHEN o.status = 'succeeded' THEN o.id END`;

const matching = (name: string, found: string) =>
  prepare(
    name,
    `SELECT row_to_json(t) AS transaction, found.named, a.id AS authorization FROM (${found}) found
     JOIN transaction t ON t.merchant_account_id = found.merchant_account_id AND t.id = found.transaction_id
     LEFT JOIN LATERAL (
       SELECT o.id FROM operation o
       WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id AND o.kind = 'authorize'
         AND o.payment_service_id = @service AND o.status = 'succeeded'
       ORDER BY o.id DESC LIMIT 1) a ON true
     LIMIT 50`,
  );

const byKeyStatement = matching(
  'match_dispute_by_key',
  `SELECT o.merchant_account_id, o.transaction_id, ${SUCCEEDED} AS named FROM operation o
   WHERE o.merchant_account_id = @account AND (o.id = @key AND o.provider_key IS NULL OR o.provider_key = @key)
     AND ${OF_SERVICE}`,
);

const byReferenceStatement = matching(
  'match_dispute_by_reference',
  `SELECT t.merchant_account_id, t.id AS transaction_id, NULL::uuid AS named FROM transaction t
   WHERE t.merchant_account_id = @account AND t.payment_service_id = @service
     AND t.payment_service_transaction_id COLLATE "C" = ANY (@references::text[])
   UNION
   SELECT o.merchant_account_id, o.transaction_id, ${SUCCEEDED} FROM operation o
   WHERE o.merchant_account_id = @account AND o.provider_reference = ANY (@references::text[]) AND ${OF_SERVICE}`,
);

type Row = Omit<Disputed, 'transaction'> & { readonly transaction: JsonRow };

/** Finds the payments of the notice's payment service that the dispute may be about. A key matches its operation or nothing. */
export async function findDisputed(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service, notice }: InboundWebhook<DisputeNotice>,
): Promise<readonly Disputed[]> {
  const { key, reference, paymentReference } = notice;
  const references = [reference, paymentReference].filter((each) => each !== null);
  const rows = await db.query<Row>(
    key === null
      ? byReferenceStatement({ account, service, references })
      : byKeyStatement({ account, service, key }),
  );
  return rows.map((row) => ({ ...row, transaction: toTransaction(row.transaction) }));
}
