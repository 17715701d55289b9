import { createClient, type Client, type SubscribePayload } from 'graphql-ws';
import { retryable, endOfClose, endOfErrors, endOfFault, type AnsweredError, type End } from './end.ts';
import type { SubscribeOptions } from './options.ts';

/** A socket that connects once. */
export type ConnectionAttempt = {
  /** False when the socket ended before it was connected. */
  readonly ready: Promise<boolean>;
  /** Aborts when the socket ends. */
  readonly signal: AbortSignal;
  /** Returns the reason of the end. */
  end(): End;
  /** Ends the socket. Only the first end counts. */
  close(end: End): void;
  /**
   * Runs an operation with a field `events`. Resolves to true when `take` returns `enough`. Resolves to false when the
   * operation completes or the socket ends. An error in a response ends the socket.
   */
  run<Value>(payload: SubscribePayload, take: (value: Value) => 'more' | 'enough'): Promise<boolean>;
};

/** Opens a socket with a token, or with the browser's session. The socket ends when it closes or breaks, and when the service is silent for 24 s. */
export function openConnection(
  { url, webSocketImpl, merchantAccountId }: SubscribeOptions,
  token: string | null,
): ConnectionAttempt {
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
  const answerWithin = (ms: number) => setTimeout(() => close(retryable('The service does not answer.')), ms);
  let deadline = answerWithin(CONNECT_MS);
  const client = createClient({
    url: socketAddress(url),
    webSocketImpl,
    connectionParams: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(merchantAccountId !== undefined && { 'x-service-merchant-account-id': merchantAccountId }),
    },
    // The socket outlives its operations while the consumer catches up, and never reconnects by itself.
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
      // A vanished host closes nothing. Only its silence shows.
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
    end: () => how ?? retryable('The connection goes on.'),
    close,
    run: (payload, take) => run({ client, signal: gone.signal, close }, payload, take),
  };
}

/** The deadline of the handshake and of the reply to the token. */
const CONNECT_MS = 15_000;
const PING_MS = 12_000;
const PONG_MS = 12_000;

/** Returns the address with a websocket scheme. Throws a TypeError for an invalid URL. */
export function socketAddress(url: string): string {
  const address = new URL(url);
  if (!/^(http|ws)s?:$/.test(address.protocol)) throw new TypeError('The url must begin with http or ws.');
  address.protocol = address.protocol.replace('http', 'ws');
  address.hash = '';
  return address.href;
}

/** Closes the socket for good: with a goodbye after a connection, at once before. */
function hangUp(client: Client, connected: boolean): void {
  if (!connected) client.terminate();
  Promise.resolve(client.dispose()).catch(() => undefined);
}

type Open = Pick<ConnectionAttempt, 'signal' | 'close'> & { readonly client: Client };

function run<Value>(
  { client, signal, close }: Open,
  payload: SubscribePayload,
  take: (value: Value) => 'more' | 'enough',
): Promise<boolean> {
  // An operation on a closed client would connect it again.
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    let live = true;
    const finish = (enough: boolean): void => {
      if (!live) return;
      live = false;
      signal.removeEventListener('abort', stop);
      resolve(enough);
      // Unsubscribes after the current messages. The same batch may hold a message that ends the operation. The client
      // would then release the socket twice and close it.
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
        // Any other value is the end of the socket, which `closed` has reported.
        if (live && Array.isArray(refused)) close(endOfErrors(refused as readonly AnsweredError[]));
        stop();
      },
      complete: stop,
    });
    signal.addEventListener('abort', stop);
  });
}
