import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/**
 * Ways to reject a webhook. All but `reset` hold the sender up to its deadline.
 *
 * - `black_hole` accepts no connection.
 * - `tls_stall` accepts the connection and sends nothing.
 * - `header_drip` and `body_drip` answer with one byte a second.
 * - `endless_body` never ends.
 * - `reset` breaks the connection after the request.
 */
export const HOSTILE_KINDS = [
  'black_hole',
  'tls_stall',
  'header_drip',
  'body_drip',
  'endless_body',
  'reset',
] as const;

export type HostileKind = (typeof HOSTILE_KINDS)[number];

/** One receiver of each kind, on loopback. */
export type Hostile = {
  url(kind: HostileKind): string;
  close(): Promise<void>;
};

export async function startHostile(): Promise<Hostile> {
  const hole = await startBlackHole();
  const servers = {
    tls_stall: await startRude(() => undefined),
    header_drip: await startRude((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-drip: ', 'a', 1_000)),
    body_drip: await startRude((socket) =>
      drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', 'a', 1_000),
    ),
    // 10 kB a second: the deadline comes before the limit of the read size.
    endless_body: await startRude((socket) =>
      drip(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(1_000), 100),
    ),
    reset: await startRude((socket) => void socket.resetAndDestroy()),
  };
  return {
    url: (kind) => {
      if (kind === 'black_hole') return `http://127.0.0.1:${hole.port}/`;
      return `${kind === 'tls_stall' ? 'https' : 'http'}://127.0.0.1:${servers[kind].port}/`;
    },
    close: async () => {
      await Promise.all([hole, ...Object.values(servers)].map((server) => server.close()));
    },
  };
}

type Listening = { readonly port: number; close(): Promise<void> };

/** Starts a server below HTTP, which calls a function when a request starts to arrive. */
async function startRude(onRequest: (socket: Socket) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.once('data', () => onRequest(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}

function drip(socket: Socket, start: string, drop: string, everyMs: number): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Listens with the shortest possible queue and never reads from the queue: its thread stands still. */
const STANDSTILL = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:worker_threads').parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** The time after which an open connection counts as rejected. On loopback a connection takes far less than 1 ms. */
const ACCEPTED_WITHIN_MS = 300;

async function startBlackHole(): Promise<Listening> {
  const worker = new Worker(STANDSTILL, { eval: true });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  // The system accepts connections for the program until the queue is full.
  const fillers: Socket[] = [];
  const fill = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      setTimeout(() => resolve(false), ACCEPTED_WITHIN_MS);
      fillers.push(socket);
    });
  while (await fill());
  return {
    port,
    close: async () => {
      fillers.forEach((socket) => socket.destroy());
      await worker.terminate();
    },
  };
}
