import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A small HTTP balancer in front of processes, as an operator has one. It takes turns, and repeats no request. */
export type Balancer = {
  readonly url: string;
  /** The requests that a process has not answered. */
  readonly underWay: (backend: string) => number;
  add(backend: string): void;
  /** Sends a process nothing more. Resolves when the process has a connection for each request that was sent to it. */
  remove(backend: string): Promise<void>;
  close(): Promise<void>;
};

/** Starts a balancer on a free port. Websockets are passed on byte by byte. */
export async function startBalancer(): Promise<Balancer> {
  const backends: string[] = [];
  const requests = new Map<string, Set<Promise<void>>>();
  const open = new Set<Duplex>();
  let turn = 0;
  const next = (): URL => {
    const backend = backends[turn++ % backends.length];
    if (backend === undefined) throw new Error('No process is behind the balancer');
    return new URL(backend);
  };
  const countOf = (backend: string) => requests.get(backend) ?? new Set();
  const connecting = new Map<string, Set<Promise<void>>>();

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { origin, hostname, port } = next();
    const { method, url: path, headers } = incoming;
    // Without an agent, each request has a connection of its own, which no process closes under it.
    const sent = request({ hostname, port, method, path, headers, agent: false });
    const whole = new Promise<void>((resolve) => outgoing.once('close', resolve));
    const connected = new Promise<void>((resolve) =>
      sent.once('socket', (socket) => socket.once('connect', () => resolve())).once('error', () => resolve()),
    );
    track(requests, origin, whole);
    track(connecting, origin, connected);
    sent.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.once('error', (error) => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end(String(error));
    });
    incoming.pipe(sent);
  };

  const server = createServer({ keepAlive: true }, pass);
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const { hostname, port } = next();
    const there = connect({ host: hostname, port: Number(port) });
    const lines = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, nth) =>
      incoming.rawHeaders.slice(nth * 2, nth * 2 + 2).join(': '),
    );
    there.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    there.write(head);
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => open.delete(one) && other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    underWay: (backend) => countOf(backend).size,
    add: (backend) => void backends.push(backend),
    remove: async (backend) => {
      backends.splice(backends.indexOf(backend), 1);
      await Promise.all([...(connecting.get(backend) ?? [])]);
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Keeps a promise in the set of a process until it ends. */
function track(sets: Map<string, Set<Promise<void>>>, backend: string, work: Promise<void>): void {
  const set = sets.get(backend) ?? new Set();
  sets.set(backend, set.add(work));
  void work.then(() => set.delete(work));
}
