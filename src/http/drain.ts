import { once } from 'node:events';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * The time in which callers may use the connections that they keep once more, in milliseconds. A busy proxy uses each of them. A quiet
 * proxy sends nothing that the end of a connection could meet.
 */
const LINGER_MS = 500;

/** The longest wait for the end of the listening, in milliseconds. A busy process may have no short turn. */
const LISTENING_MS_MAX = 250;

/** A longer turn had work, and connections may have come meanwhile. */
const SHORT_TURN_MS = 1;

/**
 * Returns the function that ends the server. It stops listening, answers what is on its way, and closes each connection after its
 * answer. It resolves when no connection is left.
 *
 * Proxies repeat no payment, so that a reset would lose one. Idle connections therefore stay open for `lingerMs` more. Call this after
 * the hooks `preClose` of others, which begin no work any more.
 */
export function prepareDrain(server: FastifyInstance, lingerMs = LINGER_MS): () => Promise<void> {
  let draining = false;
  // Without this header, a client would keep its connection and the process alive during the drain.
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (draining) void reply.header('connection', 'close');
    done(null, payload);
  });
  const silent = watchSilent(server.server);
  server.addHook('preClose', async () => {
    await untilNoneArrives(server.server);
    // The method of `http.Server` would close idle connections, too.
    NetServer.prototype.close.call(server.server);
    const lingering = new AbortController();
    const { signal } = lingering;
    await Promise.race([once(server.server, 'close', { signal }), wait(lingerMs, undefined, { signal })]);
    lingering.abort();
    for (const socket of silent()) socket.destroy();
  });
  return async () => {
    draining = true;
    await server.close();
  };
}

/** Returns the function that finds open connections without a byte so far, as browsers open them. Node does not call them idle. */
function watchSilent(server: NetServer): () => Socket[] {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => void open.delete(socket));
  });
  return () => [...open].filter(({ bytesRead }) => bytesRead === 0);
}

/**
 * Resolves after a short turn of the event loop in which no new connection waited, or after `LISTENING_MS_MAX`. Node takes one connection a turn, at its beginning.
 * The end of the listening resets each connection that the process has not taken, with the request on it.
 */
async function untilNoneArrives(server: NetServer): Promise<void> {
  let taken = 0;
  const take = (): void => void (taken += 1);
  server.on('connection', take);
  // The first turn may end without a look for connections.
  await turn();
  const latest = performance.now() + LISTENING_MS_MAX;
  while (performance.now() < latest) {
    const [before, since] = [taken, performance.now()];
    await turn();
    if (taken === before && performance.now() - since < SHORT_TURN_MS) break;
  }
  server.off('connection', take);
}
