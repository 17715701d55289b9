/**
 * What went wrong for good: trying again with the same would not help. Branch on `code`.
 *
 * Of `subscribeToEvents`: `CURSOR_EXPIRED` (events behind the cursor are no longer kept; `extensions.earliestCursor` goes
 * on with the oldest that are), `CURSOR_AHEAD` (the feed ends before the cursor, as after a restore), `UNAUTHENTICATED`,
 * `FORBIDDEN`, `INVALID_INPUT`, `PROTOCOL`, and any other code that the service refuses the subscription with.
 * Of `verifyWebhook`: `WEBHOOK_SECRET`, `WEBHOOK_HEADERS`, `WEBHOOK_TIMESTAMP`, `WEBHOOK_SIGNATURE`, `WEBHOOK_BODY`.
 */
export class PaygraphError extends Error {
  override readonly name = 'PaygraphError';
  readonly code: string;
  /** What the service says beside the message. */
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, extensions: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.extensions = extensions;
  }
}
