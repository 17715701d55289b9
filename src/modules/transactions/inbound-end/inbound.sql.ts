import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { isDisputeNotice, type DisputeNotice } from '../../../connectors/notices/disputes.ts';
import type { WebhookNotice } from '../../../connectors/notices/webhook.ts';
import type { StoredWebhook } from '../notices/webhook.ts';
import { claimingOf, type ClaimDue } from '../notices/claim-notices.ts';
import { endingOf } from '../notices/end-notice.ts';

/** Claims parked webhooks that are due, of every merchant account, oldest first. */
export const claimParked: ClaimDue<StoredWebhook> = async (db, now, claim) =>
  (await claimStored(db, now, claim)).map((webhook) => ({ ...webhook, notice: read(webhook.notice) }));

const claimStored = claimingOf<StoredWebhook>(prepareFile(import.meta, 'claim-inbound-webhooks.sql'));

const read = (stored: WebhookNotice): WebhookNotice => (isDisputeNotice(stored) ? withDates(stored) : stored);

/** Parses the moment of a stored dispute. In JSON a moment is text. */
function withDates(stored: DisputeNotice): DisputeNotice {
  const { respondBy } = stored.dispute;
  return {
    ...stored,
    dispute: { ...stored.dispute, respondBy: respondBy === null ? null : new Date(respondBy) },
  };
}

const parkStatement = prepareFile(import.meta, 'park-inbound-webhook.sql');

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
export const endWebhook = endingOf(prepareFile(import.meta, 'end-inbound-webhook.sql'));
