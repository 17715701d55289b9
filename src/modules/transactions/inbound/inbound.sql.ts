import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { isDisputeNotice, type DisputeNotice } from '../../../connectors/disputes.ts';
import type { WebhookNotice } from '../../../connectors/webhook.ts';
import type { StoredWebhook } from '../notices/webhook.ts';
import { claimingOf, type ClaimDue } from '../notices/claim-notices.sql.ts';
import { endingOf } from '../notices/end-notice.sql.ts';

/** Claims parked webhooks that are due, of every merchant account, oldest first. */
export const claimParked: ClaimDue<StoredWebhook> = async (db, now, claim) =>
  (await claimStored(db, now, claim)).map((webhook) => ({ ...webhook, notice: read(webhook.notice) }));

const claimStored = claimingOf<StoredWebhook>(
  'inbound_webhook',
  `w.payment_service_id AS "paymentServiceId", w.sealed_token AS "sealedToken",
   coalesce(w.waits_since, w.received_at) AS "waitsSince"`,
);

const read = (stored: WebhookNotice): WebhookNotice => (isDisputeNotice(stored) ? withDates(stored) : stored);

/** Parses the moment of a stored dispute. In JSON a moment is text. */
function withDates(stored: DisputeNotice): DisputeNotice {
  const { respondBy } = stored.dispute;
  return {
    ...stored,
    dispute: { ...stored.dispute, respondBy: respondBy === null ? null : new Date(respondBy) },
  };
}

const parkStatement = prepare(
  'park_inbound_webhook',
  `UPDATE inbound_webhook SET next_attempt_at = @nextAttemptAt, turn_until = @turnUntil
   WHERE merchant_account_id = @account AND id = @id AND state = 'parked'`,
);

/** The pause of a parked webhook. */
export type Pause = {
  /** The loop matches the webhook again then. */
  readonly nextAttemptAt: Date;
  /** Later webhooks of the same operation wait until then. Null: they go on. */
  readonly turnUntil: Date | null;
};

/** Parks a webhook. Changes nothing after its end. */
export async function parkWebhook(
  db: Db,
  { merchantAccountId, id }: StoredWebhook,
  { nextAttemptAt, turnUntil }: Pause,
): Promise<void> {
  await db.query(parkStatement({ account: merchantAccountId, id, nextAttemptAt, turnUntil }));
}

/** Ends a parked webhook of a payment service, and deletes its token. */
export const endWebhook = endingOf({
  table: 'inbound_webhook',
  service: 'payment_service',
  entry: 'payment-connector-transaction-webhook-processed',
  forget: 'sealed_token = NULL, turn_until = NULL,',
});
