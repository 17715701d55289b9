import {
  ok,
  refuse,
  type Result,
  type VerifiedWebhook,
  type WebhookRefusal,
  type WebhookRequest,
} from '../../door.ts';
import { mayConcern } from './kinds.ts';
import { bodyOf, hmacKeysOf, isSigned, itemsOf, namesOf } from './notification.ts';
import { isSignedBody, isTokenWebhook, SIGNATURE_HEADER } from './token-webhook.ts';

/**
 * Checks a webhook of Adyen, in the standard form or about a token.
 *
 * - Each item has a signature of its own, which covers its main fields. The check needs no other form of the item.
 * - An item without a right signature is ignored beside a signed one.
 * - A body without a signed item is refused, unless none of its items can concern a payment.
 */
export function verifyAdyenWebhook({
  headers,
  rawBody,
  credentials,
}: WebhookRequest): Result<VerifiedWebhook, WebhookRefusal> {
  const keys = hmacKeysOf(credentials['hmac_key']);
  if (!keys) return refuse('bad_signature');
  const body = String(rawBody);
  if (isTokenWebhook(body))
    return isSignedBody(headers[SIGNATURE_HEADER], rawBody, keys)
      ? ok({ parts: [body], unsigned: 0, isSigned: true })
      : refuse('bad_signature');
  const items = itemsOf(body);
  if (!items) return refuse('unreadable');
  const signed = items.filter((item) => isSigned(item, keys));
  const unsigned = items.filter((item) => !isSigned(item, keys) && mayConcern(namesOf(item))).length;
  if (signed.length === 0 && unsigned > 0) return refuse('bad_signature');
  return ok({ parts: signed.map(bodyOf), unsigned, isSigned: true });
}
