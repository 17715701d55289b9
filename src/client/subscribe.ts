import { connectOnce, type Place } from './connection.ts';
import type { FeedEvent } from './event.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { socketAddress } from './connection-attempt.ts';
import type { SubscribeOptions } from './options.ts';
import { pauseMs, sleep } from './pause.ts';

/**
 * Follows a merchant account's feed: every event behind `after` once and in order, over as many connections as it takes.
 *
 * It connects again for as long as it takes, and ends with an error only for what would not pass: a token that is refused,
 * a cursor that is no longer good, bad arguments. Without `onEvent` it answers a generator, which connects when its first
 * event is asked for and reads no further ahead than `bufferMax`; with it, a promise that resolves when `signal` aborts,
 * and each event waits until `onEvent` is done with the one before.
 *
 * What was received is lost with the process: store `cursor` when you are done with an event, and begin behind the stored
 * one. An event that you had done and not yet stored comes again then.
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
  keepConnected(options, inbox, signal).then(
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

/** Connects again and again until the signal aborts; throws what no new connection would mend. */
async function keepConnected(
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
