/**
 * An error that a retry with the same arguments would meet again. Branch on `code`.
 *
 * `subscribeToEvents` throws these codes, and any other code that the service refuses the subscription with:
 *
 * - `CURSOR_EXPIRED`: events after the cursor are removed. `extensions.earliestCursor` continues with the oldest
 *   retained event.
 * - `FEED_RESTORED`: the event before the cursor was lost in a restore. `extensions.continueCursor` misses no event.
 * - `CURSOR_AHEAD`: the feed ends before the cursor.
 * - `UNAUTHENTICATED`, `FORBIDDEN`, `INVALID_INPUT`, `PROTOCOL`
 *
 * `verifyWebhook` throws `WEBHOOK_SECRET`, `WEBHOOK_HEADERS`, `WEBHOOK_TIMESTAMP`, `WEBHOOK_SIGNATURE` and
 * `WEBHOOK_BODY`.
 */
export class PaygraphError extends Error {
  override readonly name: string = 'PaygraphError';
  readonly code: string;
  /** The further fields of the service's error. */
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, extensions: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.extensions = extensions;
  }
}
