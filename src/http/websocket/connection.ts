import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { App, Viewer } from '../../app.ts';
import { createContext } from '../../graph/context.ts';
import { coded } from '../../graph/errors.ts';
import { authenticate } from '../authentication/authenticate.ts';
import { credentialsOf } from '../authentication/credentials.ts';
import type { LoopTurns } from '../../platform/fairness/loop-turns.ts';
import { PUBLIC } from '../../platform/fairness/owner.ts';
import { positionIn } from '../answers/position.ts';
import { describeError } from '../../platform/describe-error.ts';
import { ROUTER_SECRET, type IsRouter } from '../authentication/router-secret.ts';
import type { AccessLog } from '../operate/access-log.ts';
import type { ConnectionLimits } from '../operations/connection-limits.ts';
import { watchToken } from '../operations/token-watch.ts';
import type { Operation, Operations } from '../operations/operations.ts';
import { subscribeWithinLimit } from '../operations/subscribe-within-limit.ts';
import { attach, TRY_AGAIN_LATER } from './transport.ts';

export type ConnectionSettings = {
  readonly app: App;
  readonly endpoint: Endpoint;
  /** The headers of the handshake. */
  readonly headers: IncomingHttpHeaders;
  readonly limits: ConnectionLimits;
  readonly turns: LoopTurns;
  readonly socket: WebSocket;
  /** The stream that the socket writes to. */
  readonly stream: Duplex;
  /** The cookie of a person's session, from a page of this server. */
  readonly session: string | undefined;
  /** The address of the peer, for the audit log. */
  readonly address: string | null;
  /** Told of the end of `connection_init`: the caller, or the reason of the refusal. */
  readonly connected: AccessLog['connected'];
  /** The time between two pings. A peer that misses one ping by the next is cut off. */
  readonly pingMs: number;
};

/** A graph that is served over websockets. */
export type Endpoint = {
  readonly operations: Operations;
  /**
   * Checks the secret of a router, which must be in the handshake or in `connection_init`. A router may give the caller's token in
   * either, too. Null: callers connect themselves, with the token in `connection_init`.
   */
  readonly isRouter: IsRouter | null;
};

/**
 * Serves one socket until it closes. Takes its token in `connection_init` and runs its operations for the token's
 * viewer. Closes the socket with 4403 when the token expires or is refused later. Clients then reconnect with a new
 * token.
 */
export function openConnection(settings: ConnectionSettings): void {
  const { app, limits, turns, socket, stream, address, pingMs, connected } = settings;
  const { operations, isRouter } = settings.endpoint;
  let viewer: Viewer | null = null;
  const ending: (() => void)[] = [];
  const close = (code: number, reason: string): false => {
    socket.close(code, reason);
    return false;
  };
  const refuse = (refused: string, code: number, reason: string): false => {
    connected({ account: null, refused });
    return close(code, reason);
  };
  const protocol = makeServer<Record<string, unknown>>({
    connectionInitWaitTimeout: INIT_DEADLINE_MS,
    onConnect: async ({ connectionParams }) => {
      const given = isRouter ? { ...settings.headers, ...inLowerCase(connectionParams) } : connectionParams;
      if (isRouter && !isRouter(given?.[ROUTER_SECRET]))
        return refuse('router_secret', CloseCode.Unauthorized, NO_ROUTER);
      const credentials = { ...credentialsOf(given), session: isRouter ? undefined : settings.session };
      const known = await authenticate(app, credentials, address);
      if (socket.readyState !== socket.OPEN) return false;
      if ('refusal' in known) return refuse(known.refusal, REFUSED[known.refusal], known.message);
      const { merchantAccountId: account } = known.viewer;
      const leave = (isRouter ? limits.routerSockets : limits.sockets).take(account);
      connected({ account, refused: leave ? null : 'too_many' });
      if (!leave) return close(TRY_AGAIN_LATER, 'Too many connections of this merchant account');
      viewer = known.viewer;
      const stopWatching = watchToken(app, credentials, known.viewer, {
        renewed: (renewed) => void (viewer = renewed),
        ended: () => close(CloseCode.Forbidden, 'The token is no longer valid'),
      });
      ending.push(leave, stopWatching);
      return true;
    },
    onSubscribe: ({ subscriptions }, _id, payload) => {
      // The library lets nobody subscribe who has not connected.
      if (!viewer) throw new Error('An operation started before the connection had a viewer.');
      if (Object.keys(subscriptions).length > OPERATIONS_MAX)
        return [coded('TOO_MANY_OPERATIONS', TOO_MANY_OPERATIONS)];
      const position = positionIn(payload.extensions);
      if (position === undefined) return [coded('BAD_REQUEST', UNKNOWN_POSITION)];
      const context = createContext(app, viewer, { requestId: app.ids.uuid(), address, position });
      return operations.prepare(payload, context, 'websocket');
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
  const inTurn = (take: () => void): void => turns.run(viewer?.merchantAccountId ?? PUBLIC, take);
  attach({ socket, stream, protocol, extra: undefined, onFault, inTurn, pingMs });
}

const NO_ROUTER = 'The secret of the router is missing or wrong';

const inLowerCase = (given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));

/** The time allowed for `connection_init` after the handshake. The socket closes with 4408 afterwards. */
const INIT_DEADLINE_MS = 3_000;

/** A socket belongs to one program. A program that follows more things than this filters by itself. */
const OPERATIONS_MAX = 100;

const TOO_MANY_OPERATIONS = `At most ${OPERATIONS_MAX} operations run on one connection at a time.`;

const UNKNOWN_POSITION = 'extensions.position must be the value of an earlier answer, or 0.';

const REFUSED = {
  unauthenticated: CloseCode.Unauthorized,
  forbidden: CloseCode.Forbidden,
  away: CloseCode.Forbidden,
  limited: TRY_AGAIN_LATER,
} as const;
