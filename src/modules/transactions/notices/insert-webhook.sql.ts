import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import { isStoredMethodNotice } from '../../../connectors/stored-methods.ts';
import type { WebhookNotice } from '../../../connectors/webhook.ts';
import type { StoredWebhook } from './webhook.ts';

const insertStatement = prepare(
  'insert_inbound_webhook',
  `INSERT INTO inbound_webhook (merchant_account_id, id, payment_service_id, event_key, operation_id, provider_reference,
     notice, sealed_token, next_attempt_at, received_at)
   VALUES (@account, @id, @service, @eventKey, @key, @reference, @notice, @sealedToken, @nextAttemptAt, @receivedAt)
   ON CONFLICT (merchant_account_id, payment_service_id, event_key) DO NOTHING RETURNING id`,
);

/** Stores a provider's webhook, which the loop claims at `nextAttemptAt`. False when the provider sent it before. */
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
      receivedAt: webhook.receivedAt,
    }),
  );
  return rows.length > 0;
}

/** Returns the names by which the end of an operation wakes a waiting webhook. A token is no such name. */
function namesOf(notice: WebhookNotice): { readonly key: string | null; readonly reference: string | null } {
  if (isStoredMethodNotice(notice)) return { key: null, reference: null };
  const authorizationKey = 'authorizationKey' in notice ? (notice.authorizationKey ?? null) : null;
  return {
    key: notice.key ?? authorizationKey,
    // The payment's reference matches earlier, because the payment's reference is known first.
    reference: notice.paymentReference ?? notice.reference,
  };
}
