import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import type { App } from '../../app.ts';
import type { LoopTurns } from '../../platform/fairness/loop-turns.ts';
import { namesUs } from '../hosts.ts';
import { sessionOfHandshake } from '../authentication/session-cookie.ts';
import { mayConnect } from '../origins.ts';
import { callerAddress } from './caller-address.ts';
import type { ConnectionLimits } from '../operations/connection-limits.ts';
import { openConnection, type ConnectionSettings, type Endpoint } from './connection.ts';
import { SERVICE_RESTART } from './transport.ts';

export type WebsocketSettings = {
  readonly app: App;
  readonly server: Server;
  readonly port: number;
  readonly limits: ConnectionLimits;
  readonly turns: LoopTurns;
  /** The graphs by path. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly connected: ConnectionSettings['connected'];
  /** The time between two pings of each socket, 12 s by default. */
  readonly pingMs?: number | undefined;
};

export type Websockets = {
  /** Sockets that are open. */
  count(): number;
  /** Refuses new sockets and closes the open ones with a code on which clients connect again. */
  close(): Promise<void>;
};

/** Serves graphql-ws on the port of HTTP, at the paths of the graphs. */
export function openWebsockets({
  app,
  server,
  port,
  limits,
  turns,
  endpoints,
  connected,
  pingMs = PING_MS,
}: WebsocketSettings): Websockets {
  let closing = false;
  // Compression costs memory for each socket and can be made to cost far more than it saves.
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handleProtocols,
  });
  const serve = (endpoint: Endpoint, request: IncomingMessage) => (socket: WebSocket) => {
    const { headers, socket: stream } = request;
    const address = callerAddress(request, app.config.PAYGRAPH_TRUSTED_PROXIES);
    const session = sessionOfHandshake(app, port, headers);
    openConnection({
      ...{ app, endpoint, headers, limits, turns, socket, stream, session, address, pingMs },
      connected,
    });
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const endpoint = endpoints.get(request.url?.split('?')[0] ?? '');
    const status = closing ? 503 : refuseUpgrade(request, app, port);
    if (status !== null) return refuse(socket, status);
    if (!endpoint) return refuse(socket, 404);
    sockets.handleUpgrade(request, socket, head, serve(endpoint, request));
  });
  return {
    count: () => sockets.clients.size,
    close: async () => {
      closing = true;
      await Promise.all(Array.from(sockets.clients, closeSocket));
    },
  };
}

/** An operation with its variables is some kilobytes. Larger ones go over HTTP. */
const MESSAGE_BYTES_MAX = 64 * 1024;

/** A peer that is gone, or that does not read, is cut off after twice this time at the latest. */
const PING_MS = 12_000;

/** Returns the status of a refused handshake, or null when it may go on. */
function refuseUpgrade(request: IncomingMessage, app: App, port: number): 403 | 421 | null {
  if (!namesUs(app, request)) return 421;
  return mayConnect(app, port, request.headers.origin) ? null : 403;
}

const REASONS = {
  403: 'Forbidden',
  404: 'Not Found',
  421: 'Misdirected Request',
  503: 'Service Unavailable',
} as const;

function refuse(socket: Duplex, status: keyof typeof REASONS): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

const CLOSE_DEADLINE_MS = 2_000;

/** Closes a socket and waits for the peer's answer. A peer that does not answer in time is cut off. */
async function closeSocket(socket: WebSocket): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const deadline = setTimeout(() => socket.terminate(), CLOSE_DEADLINE_MS);
  socket.close(SERVICE_RESTART, 'Service restart');
  await closed;
  clearTimeout(deadline);
}
