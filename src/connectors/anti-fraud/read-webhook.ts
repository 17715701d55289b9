import { refuse, type Result } from '../../kernel/result.ts';
import type { Log } from '../../platform/log.ts';
import type { WebhookRefusal } from '../webhook.ts';
import { isStorable } from '../words.ts';
import type { AntiFraudConnector, ReviewNotice, ReviewRequest } from './connector.ts';
import { tidierOf } from './words.ts';

/**
 * The one reader of webhooks about reviews. Never throws: what a connector throws at is unreadable, and so is a notice whose
 * event or check cannot be named as it is. Comments are tidied of the service's secrets and of card numbers.
 */
export function readReviewWebhook(
  connector: AntiFraudConnector,
  request: ReviewRequest,
  log: Log,
): Result<readonly ReviewNotice[], WebhookRefusal> {
  try {
    const read = connector.readWebhook(request);
    if (!read.ok) return read;
    const tidy = tidierOf(connector, request);
    const notices = read.value.map((notice) => ({ ...notice, comment: tidy(notice.comment) }));
    return notices.every(isNamed) ? { ok: true, value: notices } : refuse('unreadable');
  } catch (error) {
    // The message may hold what was sent, so only its kind is logged.
    const name = error instanceof Error ? error.name : typeof error;
    log.error({ connector: connector.id, error: name }, 'A connector threw at a webhook.');
    return refuse('unreadable');
  }
}

const isNamed = ({ eventKey, key, reference }: ReviewNotice): boolean =>
  (key ?? reference) !== null && isStorable(eventKey) && (reference === null || isStorable(reference));
