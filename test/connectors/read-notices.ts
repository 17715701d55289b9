import { isLookUpNotice } from '../../src/connectors/notices/look-ups.ts';
import type {
  UnreadReason,
  WebhookNotice,
  WebhookRefusal,
  WebhookRequest,
  Webhooks,
} from '../../src/connectors/notices/webhook.ts';
import { ok, type Result } from '../../src/kernel/result.ts';

/** Checks a webhook and reads all its parts, by the connector alone. The first part that is not read refuses the webhook. */
export function readNotices(
  webhooks: Pick<Webhooks, 'verify' | 'read'> | undefined,
  request: WebhookRequest,
): Result<readonly WebhookNotice[], WebhookRefusal | UnreadReason> {
  if (!webhooks) throw new Error('The connector takes no webhooks');
  const verified = webhooks.verify(request);
  if (!verified.ok) return verified;
  const notices: WebhookNotice[] = [];
  for (const part of verified.value.parts) {
    const read = webhooks.read(part, request);
    if (!read.ok) return read;
    notices.push(...read.value.flatMap((notice) => (isLookUpNotice(notice) ? [] : [notice])));
  }
  return ok(notices);
}
