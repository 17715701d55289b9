import WebSocket from 'ws';

export type Closed = { readonly code: number; readonly reason: string };

/** A websocket for handwritten messages. */
export type RawSocket = {
  send(message: unknown): void;
  /** Returns the next unread message. */
  next(): Promise<Record<string, unknown>>;
  readonly closed: Promise<Closed>;
  /** Stops reading, so that the network's buffers fill up. */
  pause(): void;
  close(): void;
};

export type RawSocketOptions = {
  readonly protocol?: string;
  readonly headers?: Record<string, string>;
  readonly path?: string;
};

/** Opens a websocket. Rejects with the status when the handshake is refused. */
export async function openRawSocket(url: string, options: RawSocketOptions = {}): Promise<RawSocket> {
  const { protocol = 'graphql-transport-ws', headers = {}, path = '/graphql' } = options;
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocol, { headers });
  const received: Record<string, unknown>[] = [];
  const waiting: ((message: Record<string, unknown>) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
    const taker = waiting.shift();
    if (taker) taker(message);
    else received.push(message);
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) =>
      reject(new Error(String(response.statusCode))),
    );
  });
  socket.on('error', () => undefined);
  return {
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: () => {
      const first = received.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
    },
    closed,
    pause: () => socket.pause(),
    close: () => socket.close(),
  };
}

/** Opens a websocket that is connected with a token. */
export async function connectRawSocket(
  url: string,
  token: string,
  options?: RawSocketOptions,
): Promise<RawSocket> {
  const socket = await openRawSocket(url, options);
  socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
  const first = await socket.next();
  if (first['type'] !== 'connection_ack') throw new Error(JSON.stringify(first));
  return socket;
}
