import type { Duplex } from 'node:stream';
import type { Server } from 'graphql-ws';
import type { WebSocket } from 'ws';

/** Close codes after which a graphql-ws client connects again by itself, with a growing pause. */
export const TRY_AGAIN_LATER = 1013;
export const SERVICE_RESTART = 1012;

export type Attachment<Extra> = {
  readonly socket: WebSocket;
  /** The stream that the socket writes to. */
  readonly stream: Duplex;
  readonly protocol: Server<Extra>;
  readonly extra: Extra;
  readonly onFault: (fault: unknown) => void;
  /** Takes a message in the turn of the socket's owner. Keeps the order of messages. */
  readonly inTurn: (take: () => void) => void;
  /** Time between two pings. */
  readonly pingMs: number;
};

/**
 * Serves graphql-ws over one socket. The library's own adapter prints errors to the console, and a passing fault ends
 * the client's retries with 4500. Here the caller gets the fault and the client tries again.
 */
export function attach<Extra>(attachment: Attachment<Extra>): void {
  const { socket, protocol, extra, onFault, pingMs } = attachment;
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: sender(attachment),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) => {
        takeMessages(attachment, (text) => {
          receive(text).catch((fault: unknown) => {
            if (socket.readyState !== socket.OPEN) return;
            onFault(fault);
            socket.close(TRY_AGAIN_LATER, 'Try again later');
          });
        });
      },
    },
    extra,
  );
  const stopPings = keepAlive(socket, pingMs);
  // The frame is broken or too large. The library ws has closed the socket with the matching code.
  socket.on('error', () => undefined);
  socket.once('close', (code, reason) => {
    stopPings();
    closed(code, reason.toString('utf8')).catch(onFault);
  });
}

/** Takes each message in its turn. The socket reads no more while a message waits, so its peer waits too. */
function takeMessages(
  { socket, inTurn }: Pick<Attachment<unknown>, 'socket' | 'inTurn'>,
  take: (text: string) => void,
): void {
  let waiting = 0;
  socket.on('message', (data: Buffer) => {
    waiting += 1;
    inTurn(() => {
      waiting -= 1;
      if (waiting === 0 && socket.isPaused) socket.resume();
      take(data.toString('utf8'));
    });
    if (waiting > 0) socket.pause();
  });
}

/** Limit for the bytes of a socket that wait to leave the process. */
const AHEAD_BYTES = 64 * 1024;

/**
 * Sends texts of one turn in one write. Once too many bytes wait, resolves only when the text has left. A slow reader
 * then delays its own events and uses no memory.
 */
function sender({ socket, stream }: Pick<Attachment<unknown>, 'socket' | 'stream'>) {
  let gathering = false;
  const gather = (): void => {
    if (gathering) return;
    gathering = true;
    stream.cork();
    process.nextTick(() => {
      gathering = false;
      stream.uncork();
    });
  };
  return (text: string): Promise<void> | void => {
    if (socket.readyState !== socket.OPEN) return;
    gather();
    if (socket.bufferedAmount < AHEAD_BYTES) return socket.send(text);
    return new Promise((resolve, reject) =>
      socket.send(text, (error) => (error ? reject(error) : resolve())),
    );
  };
}

/** Sends pings and drops a socket whose peer misses a ping. The peer is gone or no longer reads. */
function keepAlive(socket: WebSocket, pingMs: number): () => void {
  let answered = true;
  socket.on('pong', () => void (answered = true));
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, pingMs);
  return () => clearInterval(timer);
}
