import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { isOperationNotice } from '../../../connectors/webhook.ts';
import { namesOf } from './names.ts';
import { turnUntil } from './schedule.ts';
import type { StoredWebhook } from './webhook.ts';

const insertStatement = prepare(
  'insert_inbound_webhook',
  `INSERT INTO inbound_webhook (merchant_account_id, id, payment_service_id, event_key, operation_id, provider_reference,
     notice, sealed_token, next_attempt_at, turn_until, received_at, waits_since)
   VALUES (@account, @id, @service, @eventKey, @key, @reference, @notice, @sealedToken, @nextAttemptAt, @turnUntil, @receivedAt,
     nullif(@waitsSince::timestamptz, @receivedAt))
   ON CONFLICT (merchant_account_id, payment_service_id, event_key) DO NOTHING RETURNING id`,
);

/**
 * Stores a provider's webhook, which the loop claims at `nextAttemptAt`. A notice about an operation has its turn from now on.
 * False when the provider sent the webhook before.
 */
export async function insertWebhook(db: Db, webhook: StoredWebhook, nextAttemptAt: Date): Promise<boolean> {
  const { notice } = webhook;
  const { key, reference } = namesOf(notice);
  const rows = await db.query(
    insertStatement({
      account: webhook.merchantAccountId,
      id: webhook.id,
      service: webhook.paymentServiceId,
      eventKey: notice.eventKey,
      key,
      reference,
      notice: JSON.stringify(notice),
      sealedToken: webhook.sealedToken,
      nextAttemptAt,
      turnUntil: isOperationNotice(notice) ? turnUntil(webhook.waitsSince) : null,
      receivedAt: webhook.receivedAt,
      waitsSince: webhook.waitsSince,
    }),
  );
  return rows.length > 0;
}
