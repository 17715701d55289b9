import { CloseCode, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { App, Viewer } from '../app.ts';
import { coded } from '../graph/errors.ts';
import { authenticate } from './authenticate.ts';
import { createContext } from './context.ts';
import { credentialsOf } from './credentials.ts';
import { describeError } from './describe-error.ts';
import type { Seats } from './seats.ts';
import { watchToken } from './token-watch.ts';
import type { Operation, Operations } from './websocket-operations.ts';
import { attach, TRY_AGAIN_LATER } from './websocket-transport.ts';

export type ConnectionSettings = {
  readonly app: App;
  readonly operations: Operations;
  /** Sockets that each merchant account may have. */
  readonly seats: Seats;
  readonly socket: WebSocket;
};

/**
 * Serves one socket until it closes: takes its token in `connection_init`, runs its operations for the token's viewer,
 * and closes it with 4403 when the token expires or is refused later, on which clients connect again with a new one.
 */
export function openConnection({ app, operations, seats, socket }: ConnectionSettings): void {
  let viewer: Viewer | null = null;
  const ending: (() => void)[] = [];
  const close = (code: number, reason: string): false => {
    socket.close(code, reason);
    return false;
  };
  const protocol = makeServer<Record<string, unknown>>({
    connectionInitWaitTimeout: INIT_DEADLINE_MS,
    onConnect: async ({ connectionParams }) => {
      const credentials = credentialsOf(connectionParams);
      const known = await authenticate(app, credentials);
      if (socket.readyState !== socket.OPEN) return false;
      if ('refusal' in known) return close(REFUSED[known.refusal], known.message);
      const leave = seats.take(known.viewer.merchantAccountId);
      if (!leave) return close(TRY_AGAIN_LATER, 'Too many connections of this merchant account');
      viewer = known.viewer;
      const stopWatching = watchToken(app, credentials, known.viewer, {
        renewed: (renewed) => void (viewer = renewed),
        ended: () => close(CloseCode.Forbidden, 'The token is no longer valid'),
      });
      ending.push(leave, stopWatching);
      return true;
    },
    onSubscribe: (context, _id, payload) => {
      // The library lets nobody subscribe who has not connected.
      if (!viewer) throw new Error('An operation without a viewer.');
      if (Object.keys(context.subscriptions).length > OPERATIONS_MAX) {
        return [
          coded(
            'TOO_MANY_OPERATIONS',
            `At most ${OPERATIONS_MAX} operations run on one connection at a time.`,
          ),
        ];
      }
      return operations.prepare(payload, createContext(app, viewer, app.ids.uuid()));
    },
    // What arrives here is what `prepare` made: the library hands it on.
    execute: (args) => operations.execute(args as Operation),
    subscribe: (args) => operations.subscribe(args as Operation),
    onClose: () => ending.forEach((end) => end()),
  });
  attach(socket, protocol, undefined, (fault) =>
    app.log.error(
      { error: describeError(fault) },
      'A websocket message failed; the client is told to try again.',
    ),
  );
}

/** Time for `connection_init` after the handshake; then 4408. */
const INIT_DEADLINE_MS = 3_000;

const OPERATIONS_MAX = 20;

const REFUSED = { unauthenticated: CloseCode.Unauthorized, forbidden: CloseCode.Forbidden } as const;
