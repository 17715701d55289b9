import type { FeedEvent } from '../../client/index.ts';
import { signatureHeader, signingKey } from '../../modules/events/index.ts';
import { VERSION } from '../../platform/process/version.ts';

/** The answer to a forwarded event. `error` names the reason when there is none. */
export type Forwarded = {
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The start of the answer's body. */
  readonly reply: string;
};

/** The deadline of webhooks. */
const DEADLINE_MS = 5_000;
const REPLY_MAX = 4_096;

/** Posts an event once with the headers and the signature of a webhook. Never throws. */
export async function forward(
  event: FeedEvent,
  { url, secret }: { readonly url: string; readonly secret: string },
): Promise<Forwarded> {
  const startedAt = performance.now();
  const timestamp = Math.floor(Date.now() / 1_000);
  const message = { id: event.id, timestamp, body: event.payload };
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Paygraph/${VERSION}`,
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader(message, [signingKey(secret)]),
  };
  const since = (): number => Math.round(performance.now() - startedAt);
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const init = { method: 'POST', headers, body: event.payload, redirect: 'manual', signal } as const;
    const response = await fetch(url, init);
    const reply = (await response.text()).slice(0, REPLY_MAX);
    return { status: response.status, error: null, durationMs: since(), reply };
  } catch (error) {
    return { status: null, error: reasonOf(error), durationMs: since(), reply: '' };
  }
}

/** Returns the code of the connection's error, such as ECONNREFUSED, or `timeout`. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  const cause =
    error instanceof Error
      ? (error.cause as { readonly code?: string; readonly message?: string } | undefined)
      : undefined;
  return cause?.code ?? cause?.message ?? String(error);
}
