import { ABORTED, retryable, type End } from './end.ts';
import { eventsDocument, HEAD_DOCUMENT, type FeedEvent } from './event.ts';
import type { Inbox } from './inbox.ts';
import { openConnection, type ConnectionAttempt } from './connection-attempt.ts';
import type { SubscribeOptions } from './options.ts';

/** The last received place of the feed. It advances with each event and lasts over all connections. */
export type Place = { after: string | null; sequence: number; wasConnected: boolean };

/** The end of a connection. `progress` is true if the connection was useful. */
export type Connection = { readonly end: End; readonly progress: boolean };

/**
 * Connects once with a new token. Puts the events after the place into the inbox until the connection ends. Without
 * room in the inbox there is no subscription. Events that the service sends meanwhile are dropped and requested again.
 */
export async function connectOnce(
  options: SubscribeOptions,
  place: Place,
  inbox: Inbox<FeedEvent>,
  signal: AbortSignal,
): Promise<Connection> {
  const [startedAt, startedBehind] = [Date.now(), place.after];
  const token = await tokenFor(options, place);
  if ('end' in token) return { ...token, progress: false };
  const line = openConnection(options, token.text);
  const onAbort = (): void => line.close(ABORTED);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    if (await line.ready) await receiveAll(line, options, place, inbox);
  } finally {
    signal.removeEventListener('abort', onAbort);
    line.close(retryable('Given up.'));
  }
  const progress = place.after !== startedBehind || Date.now() - startedAt > STEADY_MS;
  return { end: line.end(), progress };
}

/**
 * Requests a new token. A failure before the first connection is a mistake and rejects. A later failure may be an
 * outage of the issuer, and is retried.
 */
async function tokenFor(
  { token }: SubscribeOptions,
  { wasConnected }: Place,
): Promise<{ readonly text: string | null } | { readonly end: End }> {
  try {
    return { text: await token() };
  } catch (error) {
    if (!wasConnected) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { end: retryable(`There is no token: ${message}`) };
  }
}

/** A connection of this length counts as progress, even without an event. */
const STEADY_MS = 30_000;

/** Receives events until the socket ends. */
async function receiveAll(
  line: ConnectionAttempt,
  options: SubscribeOptions,
  place: Place,
  inbox: Inbox<FeedEvent>,
): Promise<void> {
  place.wasConnected = true;
  options.onStatus?.({ state: 'connected' });
  // Without a cursor, "from now on" would be another moment at each connection until the first event.
  place.after ??= await readHead(line);
  while (!line.signal.aborted) {
    await inbox.waitForRoom(line.signal);
    await receive(line, options, place, inbox);
  }
}

/** Returns the end of the feed, or null when the socket ended first. */
async function readHead(line: ConnectionAttempt): Promise<string | null> {
  const heads: string[] = [];
  await line.run<{ readonly head: string }>({ query: HEAD_DOCUMENT }, ({ head }) => {
    heads.push(head);
    return 'enough';
  });
  const [head] = heads;
  if (head === undefined) line.close(retryable('The service did not say where the feed ends.'));
  return head ?? null;
}

/** Subscribes until the inbox is full or the socket ends. */
async function receive(
  line: ConnectionAttempt,
  { selection = '', types }: SubscribeOptions,
  place: Place,
  inbox: Inbox<FeedEvent>,
): Promise<void> {
  const variables = { after: place.after, ...(types && { types }) };
  const enough = await line.run<FeedEvent>({ query: eventsDocument(selection), variables }, (event) => {
    // The service sends no event twice, but a proxy might.
    if (event.sequence <= place.sequence) return 'more';
    place.after = event.cursor;
    place.sequence = event.sequence;
    inbox.put(event);
    return inbox.full() ? 'enough' : 'more';
  });
  // A stopping service completes its subscriptions.
  if (!enough) line.close(retryable('The service ended the subscription.'));
}
