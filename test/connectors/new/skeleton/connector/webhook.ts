import { parseJson } from '../../../../../src/kernel/json.ts';
import { ok, refuse, type Result } from '../../../../../src/kernel/result.ts';
import type { WebhookNotice, WebhookRefusal, WebhookRequest } from '../../../../../src/connectors/webhook.ts';
import { unwritten } from './unwritten.ts';

/**
 * Reads a webhook. An event that concerns no operation gives no notice, and is answered with success. Otherwise the provider
 * would send the event again for days.
 */
export function readSkeletonWebhook(
  request: WebhookRequest,
): Result<readonly WebhookNotice[], WebhookRefusal> {
  if (!isSigned(request)) return refuse('bad_signature');
  const notices = noticesOf(parseJson(request.rawBody));
  return notices === null ? refuse('unreadable') : ok(notices);
}

/** True if the webhook's secret signed the bytes of the body. Compare with `timingSafeEqual`. */
const isSigned = (request: WebhookRequest): boolean =>
  unwritten('isSigned in webhook.ts', "the check of the provider's signature", request);

/** Reads the event. Null for a body that is no event of the provider. */
const noticesOf = (event: unknown): readonly WebhookNotice[] | null =>
  unwritten('noticesOf in webhook.ts', 'a notice for each event about an operation', event);
