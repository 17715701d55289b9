import { createClient, type Client, type SubscribePayload } from 'graphql-ws';
import { again, endOfClose, endOfErrors, endOfFault, type AnsweredError, type End } from './end.ts';
import type { SubscribeOptions } from './options.ts';

/** A socket that connects once. */
export type Line = {
  /** False when it ended before it was connected. */
  readonly ready: Promise<boolean>;
  /** Aborts when it ends. */
  readonly signal: AbortSignal;
  /** How it ended. */
  end(): End;
  /** Ends it. Only the first end counts. */
  close(end: End): void;
  /**
   * Runs an operation whose field is `events`, and answers true when `take` had enough, false when there is no more of it
   * or the line ended. An error in an answer ends the line.
   */
  run<Value>(payload: SubscribePayload, take: (value: Value) => 'more' | 'enough'): Promise<boolean>;
};

/** Opens a socket with a token; it ends by itself when it closes or breaks, and when nothing answers for 24 s. */
export function openLine({ url, webSocketImpl, merchantAccountId }: SubscribeOptions, token: string): Line {
  const gone = new AbortController();
  const ready = Promise.withResolvers<boolean>();
  let connected = false;
  let how: End | null = null;
  const close = (end: End): void => {
    if (how) return;
    how = end;
    clearTimeout(deadline);
    ready.resolve(false);
    gone.abort();
    hangUp(client, connected);
  };
  const answerWithin = (ms: number) => setTimeout(() => close(again('The service does not answer.')), ms);
  let deadline = answerWithin(CONNECT_MS);
  const client = createClient({
    url: socketAddress(url),
    webSocketImpl,
    connectionParams: {
      authorization: `Bearer ${token}`,
      ...(merchantAccountId !== undefined && { 'x-service-merchant-account-id': merchantAccountId }),
    },
    // It outlives its operations, while the consumer catches up, and never connects again by itself.
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    keepAlive: PING_MS,
    on: {
      connected: () => {
        connected = true;
        clearTimeout(deadline);
        ready.resolve(true);
      },
      // A host that vanished closes nothing: only that it does not answer tells.
      ping: (received) => {
        if (!received) deadline = answerWithin(PONG_MS);
      },
      message: () => clearTimeout(deadline),
      error: (fault) => close(endOfFault(fault)),
      closed: (event) => close(endOfClose(event, connected)),
    },
  });
  return {
    ready: ready.promise,
    signal: gone.signal,
    end: () => how ?? again('The connection goes on.'),
    close,
    run: (payload, take) => run({ client, signal: gone.signal, close }, payload, take),
  };
}

/** For the handshake and the answer to the token. */
const CONNECT_MS = 15_000;
const PING_MS = 12_000;
const PONG_MS = 12_000;

/** The same address for websockets. Throws a TypeError on a text that is none. */
export function socketAddress(url: string): string {
  const address = new URL(url);
  if (!/^(http|ws)s?:$/.test(address.protocol)) throw new TypeError('The url must begin with http or ws.');
  address.protocol = address.protocol.replace('http', 'ws');
  address.hash = '';
  return address.href;
}

/** Closes the socket for good: with a goodbye when it was connected, at once when it was not. */
function hangUp(client: Client, connected: boolean): void {
  if (!connected) client.terminate();
  Promise.resolve(client.dispose()).catch(() => undefined);
}

type Open = Pick<Line, 'signal' | 'close'> & { readonly client: Client };

function run<Value>(
  { client, signal, close }: Open,
  payload: SubscribePayload,
  take: (value: Value) => 'more' | 'enough',
): Promise<boolean> {
  // An operation on a client that has closed would connect it again.
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    let live = true;
    const finish = (enough: boolean): void => {
      if (!live) return;
      live = false;
      signal.removeEventListener('abort', stop);
      resolve(enough);
      // Not while messages are handed out: one that ends the operation may come with this one, and the client would
      // give up its hold on the socket twice, and close it.
      queueMicrotask(unsubscribe);
    };
    const stop = (): void => finish(false);
    const unsubscribe = client.subscribe<{ readonly events: Value }>(payload, {
      next: ({ data, errors }) => {
        if (!live) return;
        if (errors) close(endOfErrors(errors));
        else if (data && take(data.events) === 'enough') finish(true);
      },
      error: (refused) => {
        // Anything else is the end of the socket, which was told before.
        if (live && Array.isArray(refused)) close(endOfErrors(refused as readonly AnsweredError[]));
        stop();
      },
      complete: stop,
    });
    signal.addEventListener('abort', stop);
  });
}
