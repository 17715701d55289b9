import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { isOperationNotice } from '../../../connectors/notices/webhook.ts';
import { namesOf } from './names.ts';
import { turnUntil } from './schedule.ts';
import type { StoredWebhook } from './webhook.ts';

const insertStatement = prepareFile(import.meta, 'insert-inbound-webhook.sql');

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
