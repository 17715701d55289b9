import type { HttpTiming } from '../../../platform/http/http-client.ts';
import type { PostOutcome } from './send-webhook.ts';

const REPLY_BYTES_STORED = 4 * 1024;

/** The stored and shown fields of an attempt. */
export type AttemptResult = {
  readonly durationMs: number;
  readonly timing: HttpTiming;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** At most 4 kB, without U+0000. */
  readonly replyStart: string | null;
};

/** Returns the stored and shown fields of an outcome. */
export const resultOf = (outcome: PostOutcome): AttemptResult =>
  'failure' in outcome
    ? {
        durationMs: outcome.failure.durationMs,
        timing: outcome.failure.timing,
        statusCode: null,
        error: outcome.failure.kind,
        replyStart: null,
      }
    : {
        durationMs: outcome.reply.durationMs,
        timing: outcome.reply.timing,
        statusCode: outcome.reply.status,
        error: null,
        replyStart: startOf(outcome.reply.body),
      };

/** Returns the start of a reply, cut between characters and without U+0000, which Postgres cannot store. */
function startOf(body: string): string {
  const bytes = Buffer.from(body.slice(0, REPLY_BYTES_STORED).replaceAll('\u0000', ' '));
  return new TextDecoder().decode(bytes.subarray(0, REPLY_BYTES_STORED), { stream: true });
}
