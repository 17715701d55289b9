import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import type { Config } from '../../platform/process/config.ts';
import { admittedAccount } from '../admission.ts';
import { PROBES, shownName, type Observe, type Observed } from './observed.ts';
import { atEnd, methodOf } from './request-end.ts';
import { traceOf } from './trace-requests.ts';

/** Writes a line for each request, and for each operation of a websocket. */
export type AccessLog = {
  /** Notes the operation of a request, or writes the line of an operation of a websocket. */
  readonly observe: Observe;
  /** Writes the line of a websocket that begins its session, or that is refused. */
  readonly connected: (connection: {
    readonly account: string | null;
    readonly refused: string | null;
  }) => void;
};

/** Writes nothing. */
const SILENT: AccessLog = { observe: () => undefined, connected: () => undefined };

/** The lines have the level `info`. Without that level or the setting, no hook runs and nothing is noted. */
const isWritten = ({ PAYGRAPH_ACCESS_LOG, LOG_LEVEL }: Config): boolean =>
  PAYGRAPH_ACCESS_LOG && (LOG_LEVEL === 'info' || LOG_LEVEL === 'debug');

/** The most requests under way whose operation is noted. The end of a request takes its note. */
const NOTED_MAX = 10_000;

/** The caller has ended the connection before an answer. */
const HUNG_UP = { 'error.type': 'caller_hung_up' };

type Noted = Pick<Observed, 'kind' | 'name' | 'account'>;

/**
 * Writes the access log. A line has our names, ids and numbers. It has the pattern of a path and no path, and the name of an
 * operation and no query. The name is the caller's own, without long runs of digits. No line holds a variable or a body.
 */
export function keepAccessLog(server: FastifyInstance, { config, log }: App): AccessLog {
  if (!isWritten(config)) return SILENT;
  const noted = new Map<string, Noted>();
  atEnd(server, (request, reply, status) => {
    const note = noted.get(request.id);
    noted.delete(request.id);
    const route = request.routeOptions.url ?? null;
    if (status === null || status >= 400 || !PROBES.has(route ?? ''))
      log.info(
        {
          ...{
            'http.request.method': methodOf(request.method),
            ...(route !== null && { 'http.route': route }),
          },
          ...(status === null ? HUNG_UP : { 'http.response.status_code': status }),
          ...operationOf(note?.kind ?? null, note?.name ?? null),
          'http.server.request.duration': inSeconds(reply.elapsedTime),
          ...accountOf(admittedAccount(request) ?? note?.account ?? null),
          ...{ requestId: request.id, ...traceOf(request) },
        },
        'Request.',
      );
  });
  return {
    observe: ({ transport, kind, name, account, requestId, failed, durationMs }) => {
      if (transport === 'http') {
        // A request whose connection broke may have had its line already.
        if (noted.size >= NOTED_MAX) noted.delete(noted.keys().next().value ?? '');
        noted.set(requestId, { kind, name, account });
        return;
      }
      log.info(
        {
          ...{ 'network.protocol.name': transport, ...operationOf(kind, name), 'paygraph.failed': failed },
          ...{ 'paygraph.operation.duration': inSeconds(durationMs), ...accountOf(account), requestId },
        },
        'Operation of a websocket.',
      );
    },
    connected: ({ account, refused }) =>
      log.info(
        { 'network.protocol.name': 'websocket', ...accountOf(account), refused },
        refused === null ? 'A websocket connected.' : 'A websocket was refused.',
      ),
  };
}

/** Names an operation. The name is absent without one, and the type without a valid operation. */
const operationOf = (kind: Observed['kind'] | null, name: string | null): object => ({
  ...(name !== null && { 'graphql.operation.name': shownName(name) }),
  ...(kind !== null && kind !== 'invalid' && { 'graphql.operation.type': kind }),
});

const accountOf = (account: string | null): object =>
  account === null ? {} : { merchantAccountId: account };

/** Durations are in seconds, to the tenth of a millisecond. */
const inSeconds = (ms: number): number => Math.round(ms * 10) / 10_000;
