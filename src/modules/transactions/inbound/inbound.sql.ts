import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import type { InboundWebhook } from './webhook.ts';
import { claimingOf } from '../notices/claim-notices.sql.ts';
import { endingOf } from '../notices/end-notice.sql.ts';

const insertStatement = prepare(
  'insert_inbound_webhook',
  `INSERT INTO inbound_webhook (merchant_account_id, id, payment_service_id, event_key, operation_id, provider_reference,
     notice, sealed_token, next_attempt_at, received_at)
   VALUES (@account, @id, @service, @eventKey, @key, @reference, @notice, @sealedToken, @nextAttemptAt, @receivedAt)
   ON CONFLICT (merchant_account_id, payment_service_id, event_key) DO NOTHING RETURNING id`,
);

/** Stores a provider's webhook. The caller owns the webhook until `leaseUntil`. False when the provider sent it before. */
export async function insertWebhook(db: Db, webhook: InboundWebhook, leaseUntil: Date): Promise<boolean> {
  const { notice } = webhook;
  const rows = await db.query(
    insertStatement({
      account: webhook.merchantAccountId,
      id: webhook.id,
      service: webhook.paymentServiceId,
      eventKey: notice.eventKey,
      key: notice.key ?? notice.authorizationKey ?? null,
      // The payment's reference matches earlier, because the payment's reference is known first.
      reference: notice.paymentReference ?? notice.reference,
      notice: JSON.stringify(notice),
      sealedToken: webhook.sealedToken,
      nextAttemptAt: leaseUntil,
      receivedAt: webhook.receivedAt,
    }),
  );
  return rows.length > 0;
}

/** Claims parked webhooks that are due, of every merchant account, oldest first. */
export const claimParked = claimingOf<InboundWebhook>(
  'inbound_webhook',
  'w.payment_service_id AS "paymentServiceId", w.sealed_token AS "sealedToken"',
);

const parkStatement = prepare(
  'park_inbound_webhook',
  `UPDATE inbound_webhook SET next_attempt_at = @nextAttemptAt
   WHERE merchant_account_id = @account AND id = @id AND state = 'parked'`,
);

/** Parks a webhook until `nextAttemptAt`. The loop matches the webhook again then. */
export async function parkWebhook(
  db: Db,
  { merchantAccountId, id }: InboundWebhook,
  nextAttemptAt: Date,
): Promise<void> {
  await db.query(parkStatement({ account: merchantAccountId, id, nextAttemptAt }));
}

/** Ends a parked webhook of a payment service, and deletes its token. */
export const endWebhook = endingOf({
  table: 'inbound_webhook',
  service: 'payment_service',
  entry: 'payment-connector-transaction-webhook-processed',
  forget: 'sealed_token = NULL,',
});
