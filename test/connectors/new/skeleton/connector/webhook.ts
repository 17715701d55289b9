import { parseJson } from '../../../../../src/kernel/json.ts';
import { ok, refuse } from '../../../../../src/kernel/result.ts';
import type {
  WebhookNotice,
  WebhookRequest,
  Webhooks,
} from '../../../../../src/connectors/notices/webhook.ts';
import { unwritten } from './unwritten.ts';

/**
 * The reader of webhooks. An event that concerns no operation gives no notice. A signed body that the reader does not understand
 * is kept, and can be read again after an upgrade.
 */
export const skeletonWebhooks: Webhooks = {
  verify: (request) =>
    isSigned(request)
      ? ok({ parts: [String(request.rawBody)], unsigned: 0, isSigned: true })
      : refuse('bad_signature'),
  read: (part) => {
    const notices = noticesOf(parseJson(part));
    return notices === null ? refuse('unreadable_body') : ok(notices);
  },
};

/** True if the webhook's secret signed the bytes of the body. Compare with `timingSafeEqual`. */
const isSigned = (request: WebhookRequest): boolean =>
  unwritten('isSigned in webhook.ts', "the check of the provider's signature", request);

/** Reads the event. Null for a body that is no event of the provider. */
const noticesOf = (event: unknown): readonly WebhookNotice[] | null =>
  unwritten('noticesOf in webhook.ts', 'a notice for each event about an operation', event);
