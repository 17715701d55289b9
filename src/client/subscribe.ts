import { connectOnce, type Place } from './connection.ts';
import type { FeedEvent } from './event.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { socketAddress } from './connection-attempt.ts';
import type { SubscribeOptions } from './options.ts';
import { pauseMs, sleep } from './pause.ts';

/**
 * Subscribes to a merchant account's feed. Delivers every event after `after` once and in order, over as many
 * connections as necessary.
 *
 * The function reconnects without a limit. It ends with an error only for a refused token, an invalid cursor or wrong
 * arguments. A retry cannot help then.
 *
 * - Without `onEvent` it returns a generator. The generator connects at the first request for an event, and reads at
 *   most `bufferMax` events ahead.
 * - With `onEvent` it returns a promise that resolves when `signal` aborts. Each event waits until `onEvent` has
 *   finished the previous event.
 *
 * Received events are lost with the process. Store `cursor` after each processed event, and start after the stored
 * cursor. An event that was processed but not stored then comes again.
 */
export function subscribeToEvents<More = unknown>(
  options: SubscribeOptions & { readonly onEvent: (event: FeedEvent & More) => void | Promise<void> },
): Promise<void>;
export function subscribeToEvents<More = unknown>(
  options: SubscribeOptions,
): AsyncGenerator<FeedEvent & More, void>;
export function subscribeToEvents(
  options: SubscribeOptions & { readonly onEvent?: (event: FeedEvent) => void | Promise<void> },
): Promise<void> | AsyncGenerator<FeedEvent, void> {
  socketAddress(options.url);
  const events = follow(options);
  return options.onEvent ? consume(events, options.onEvent) : events;
}

async function consume(
  events: AsyncIterable<FeedEvent>,
  onEvent: (event: FeedEvent) => void | Promise<void>,
): Promise<void> {
  for await (const event of events) await onEvent(event);
}

const BUFFER_MAX = 1_000;

async function* follow(options: SubscribeOptions): AsyncGenerator<FeedEvent, void> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const inbox = createInbox<FeedEvent>(options.bufferMax ?? BUFFER_MAX);
  stayConnected(options, inbox, signal).then(
    () => inbox.end(),
    (error: unknown) => inbox.break(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    for (;;) {
      const event = await inbox.take(signal);
      if (event === null) return;
      yield event;
    }
  } finally {
    left.abort();
  }
}

/** Reconnects until the signal aborts. Throws an error that no new connection would correct. */
async function stayConnected(
  options: SubscribeOptions,
  inbox: Inbox<FeedEvent>,
  signal: AbortSignal,
): Promise<void> {
  const place: Place = { after: options.after ?? null, sequence: 0, wasConnected: false };
  for (let failures = 0; !signal.aborted; failures += 1) {
    options.onStatus?.({ state: 'connecting' });
    const { end, progress } = await connectOnce(options, place, inbox, signal);
    if (end.kind === 'aborted') return;
    if (end.kind === 'final') throw end.error;
    if (progress) failures = 0;
    const retryInMs = Math.round(pauseMs(failures, options.retry));
    options.onStatus?.({ state: 'disconnected', reason: end.reason, retryInMs });
    await sleep(retryInMs, signal);
  }
}
