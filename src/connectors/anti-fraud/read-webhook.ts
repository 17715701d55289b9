import { refuse, type Result } from '../../kernel/result.ts';
import type { Log } from '../../platform/log.ts';
import type { WebhookRefusal } from '../notices/webhook.ts';
import { isStorable } from '../reading/words.ts';
import type { AntiFraudConnector, ReviewNotice, ReviewRequest } from './connector.ts';
import { cleanerOf } from './words.ts';

/**
 * Reads a webhook about a review. All such webhooks go through this function. Never throws.
 *
 * - A webhook is `unreadable` if the connector throws.
 * - A webhook is `unreadable` if the id of an event or check cannot be stored unchanged.
 * - Comments are cleaned of the service's secrets and of card numbers.
 */
export function readReviewWebhook(
  connector: AntiFraudConnector,
  request: ReviewRequest,
  log: Log,
): Result<readonly ReviewNotice[], WebhookRefusal> {
  try {
    const read = connector.readWebhook(request);
    if (!read.ok) return read;
    const tidy = cleanerOf(connector, request);
    const notices = read.value.map((notice) => ({ ...notice, comment: tidy(notice.comment) }));
    return notices.every(isNamed) ? { ok: true, value: notices } : refuse('unreadable');
  } catch (error) {
    // The message may hold data that was sent, so only the error's name is logged.
    const name = error instanceof Error ? error.name : typeof error;
    log.error(
      { connector: connector.id, error: name },
      'The connector threw an exception while reading a webhook.',
    );
    return refuse('unreadable');
  }
}

const isNamed = ({ eventKey, key, reference }: ReviewNotice): boolean =>
  (key ?? reference) !== null && isStorable(eventKey) && (reference === null || isStorable(reference));
