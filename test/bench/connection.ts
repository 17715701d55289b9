import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One persistent connection to a GraphQL server, for one request at a time. */
export type Connection = {
  /** Posts a request body and returns the answer's body. Throws on any status except 200. */
  ask(body: string): Promise<string>;
  /** Posts a request body that names a position, or none. Returns the answer's body, and its position if it has one. */
  askAt(body: string, position: string | null): Promise<Answered>;
  close(): void;
};

export type Answered = { readonly body: string; readonly position: string | null };

/**
 * Opens a connection with a minimal HTTP/1.1 client. On a
 * small machine, the higher processor time of `fetch` would slow down the measured server.
 */
export async function openConnection(url: string, token: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const head = `POST /graphql HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: `;
  const askAt = (body: string, position: string | null): Promise<Answered> => {
    if (socket.destroyed) throw new Error('The server closed the connection before.');
    const named = position === null ? '' : `\r\npaygraph-position: ${position}`;
    socket.write(`${head}${Buffer.byteLength(body)}${named}\r\n\r\n${body}`);
    return readReply(socket);
  };
  return {
    ask: async (body) => (await askAt(body, null)).body,
    askAt,
    close: () => socket.destroy(),
  };
}

function readReply(socket: Socket): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (end: () => void): void => {
      socket.off('data', onData).off('close', onClose);
      end();
    };
    const onClose = (): void => finish(() => reject(new Error('The server closed the connection.')));
    const onData = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const reply = parse(received);
      if (!reply) return;
      if (reply.status === 200) finish(() => resolve(reply));
      else finish(() => reject(new Error(`Status ${reply.status}: ${reply.body}`)));
    };
    socket.on('data', onData).on('close', onClose);
  });
}

/** Returns the parts of a complete answer. */
function parse(received: Buffer): (Answered & { readonly status: number }) | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = received.toString('latin1', 0, end);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error('The reply does not say how long it is.');
  const from = end + 4;
  if (received.length < from + Number(length)) return null;
  return {
    status: Number(head.slice(9, 12)),
    body: received.toString('utf8', from, from + Number(length)),
    position: /^paygraph-position: *(\S+)/im.exec(head)?.[1] ?? null,
  };
}
