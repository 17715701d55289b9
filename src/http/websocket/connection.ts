import type { Duplex } from 'node:stream';
import { CloseCode, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { App, Viewer } from '../../app.ts';
import { createContext } from '../../graph/context.ts';
import { coded } from '../../graph/errors.ts';
import { authenticate } from '../authentication/authenticate.ts';
import { credentialsOf } from '../authentication/credentials.ts';
import { describeError } from '../describe-error.ts';
import type { ConnectionLimit } from './connection-limits.ts';
import { watchToken } from './token-watch.ts';
import type { Operation, Operations } from './operations.ts';
import { attach, TRY_AGAIN_LATER } from './transport.ts';
import { onIteratorEnd } from './on-iterator-end.ts';

export type ConnectionSettings = {
  readonly app: App;
  readonly operations: Operations;
  readonly limits: ConnectionLimits;
  readonly socket: WebSocket;
  /** The stream that the socket writes to. */
  readonly stream: Duplex;
  /** The address of the peer, for the audit log. */
  readonly address: string | null;
  /** The time between two pings. A peer that misses one ping by the next is cut off. */
  readonly pingMs: number;
};

/** The limits of each merchant account in this process. */
export type ConnectionLimits = { readonly sockets: ConnectionLimit; readonly subscriptions: ConnectionLimit };

/**
 * Serves one socket until it closes. Takes its token in `connection_init` and runs its operations for the token's
 * viewer. Closes the socket with 4403 when the token expires or is refused later. Clients then reconnect with a new
 * token.
 */
export function openConnection(settings: ConnectionSettings): void {
  const { app, operations, limits, socket, stream, address, pingMs } = settings;
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
      const known = await authenticate(app, credentials, address);
      if (socket.readyState !== socket.OPEN) return false;
      if ('refusal' in known) return close(REFUSED[known.refusal], known.message);
      const leave = limits.sockets.take(known.viewer.merchantAccountId);
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
      if (!viewer) throw new Error('An operation started before the connection had a viewer.');
      if (Object.keys(context.subscriptions).length > OPERATIONS_MAX) {
        return [
          coded(
            'TOO_MANY_OPERATIONS',
            `At most ${OPERATIONS_MAX} operations run on one connection at a time.`,
          ),
        ];
      }
      return operations.prepare(payload, createContext(app, viewer, { requestId: app.ids.uuid(), address }));
    },
    // `prepare` created the arguments, and the library passes them on.
    execute: (args) => operations.execute(args as Operation),
    subscribe: (args) => subscribeWithinLimit(args as Operation, operations, limits.subscriptions),
    onClose: () => ending.forEach((end) => end()),
  });
  const onFault = (fault: unknown): void =>
    app.log.error(
      { error: describeError(fault) },
      'A websocket message failed. The client is told to try again.',
    );
  attach({ socket, stream, protocol, extra: undefined, onFault, pingMs });
}

/** Starts a subscription if the merchant account may have one more, and counts it until it ends. */
async function subscribeWithinLimit(
  operation: Operation,
  operations: Operations,
  limit: ConnectionLimit,
): ReturnType<Operations['subscribe']> {
  const leave = limit.take(operation.contextValue.viewer.merchantAccountId);
  if (!leave) {
    const message = 'The merchant account has too many subscriptions. End some, or try again later.';
    return { errors: [coded('TOO_MANY_SUBSCRIPTIONS', message)] };
  }
  try {
    const started = await operations.subscribe(operation);
    if (Symbol.asyncIterator in started) return onIteratorEnd(started, leave);
    leave();
    return started;
  } catch (fault) {
    leave();
    throw fault;
  }
}

/** The time allowed for `connection_init` after the handshake. The socket closes with 4408 afterwards. */
const INIT_DEADLINE_MS = 3_000;

/** A socket belongs to one program. A program that follows more things than this filters by itself. */
const OPERATIONS_MAX = 100;

const REFUSED = {
  unauthenticated: CloseCode.Unauthorized,
  forbidden: CloseCode.Forbidden,
  limited: TRY_AGAIN_LATER,
} as const;
