import { ABORTED, again, type End } from './end.ts';
import { eventsDocument, HEAD_DOCUMENT, type FeedEvent } from './event.ts';
import type { Inbox } from './inbox.ts';
import { openLine, type Line } from './connection-attempt.ts';
import type { SubscribeOptions } from './options.ts';

/** Up to where the feed was received; moved on with each event, and kept from connection to connection. */
export type Place = { after: string | null; sequence: number; wasConnected: boolean };

/** How a connection ended, and whether it was of any use. */
export type Connection = { readonly end: End; readonly progress: boolean };

/**
 * Connects once, with a fresh token, and puts the events behind the place into the inbox until the connection ends.
 * While the inbox is full there is no subscription: what the service has sent meanwhile is dropped, and asked for again.
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
  const line = openLine(options, token.text);
  const onAbort = (): void => line.close(ABORTED);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    if (await line.ready) await receiveAll(line, options, place, inbox);
  } finally {
    signal.removeEventListener('abort', onAbort);
    line.close(again('Given up.'));
  }
  const progress = place.after !== startedBehind || Date.now() - startedAt > STEADY_MS;
  return { end: line.end(), progress };
}

/**
 * A fresh token. That none can be made is a mistake at the first connection, and rejects; at a later one it worked before, and
 * who makes them may be down for a while.
 */
async function tokenFor(
  { token }: SubscribeOptions,
  { wasConnected }: Place,
): Promise<{ readonly text: string } | { readonly end: End }> {
  try {
    return { text: await token() };
  } catch (error) {
    if (!wasConnected) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { end: again(`There is no token: ${message}`) };
  }
}

/** A connection that held for so long was a good one, though nothing happened. */
const STEADY_MS = 30_000;

/** Until the line ends. */
async function receiveAll(
  line: Line,
  options: SubscribeOptions,
  place: Place,
  inbox: Inbox<FeedEvent>,
): Promise<void> {
  place.wasConnected = true;
  options.onStatus?.({ state: 'connected' });
  // Without a cursor "from now on" would be another now at each connection, until there is an event.
  place.after ??= await readHead(line);
  while (!line.signal.aborted) {
    await inbox.roomy(line.signal);
    await receive(line, options, place, inbox);
  }
}

/** Where the feed ends now; null when the line ended before it was said. */
async function readHead(line: Line): Promise<string | null> {
  const heads: string[] = [];
  await line.run<{ readonly head: string }>({ query: HEAD_DOCUMENT }, ({ head }) => {
    heads.push(head);
    return 'enough';
  });
  const [head] = heads;
  if (head === undefined) line.close(again('The service did not say where the feed ends.'));
  return head ?? null;
}

/** Subscribes until the inbox is full or the line ends. */
async function receive(
  line: Line,
  { selection = '', types }: SubscribeOptions,
  place: Place,
  inbox: Inbox<FeedEvent>,
): Promise<void> {
  const variables = { after: place.after, ...(types && { types }) };
  const enough = await line.run<FeedEvent>({ query: eventsDocument(selection), variables }, (event) => {
    // The service sends none twice; something between might.
    if (event.sequence <= place.sequence) return 'more';
    place.after = event.cursor;
    place.sequence = event.sequence;
    inbox.put(event);
    return inbox.full() ? 'enough' : 'more';
  });
  // A service that stops completes its subscriptions.
  if (!enough) line.close(again('The service ended the subscription.'));
}
